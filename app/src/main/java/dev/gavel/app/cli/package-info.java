/** The command line: one class a command. Commands print for people; errors are one line that says what to do. */
@NullMarked
package dev.gavel.app.cli;

import org.jspecify.annotations.NullMarked;
