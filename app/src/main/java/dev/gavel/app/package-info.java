/** The program: {@link dev.gavel.app.Main} passes the command line to the commands of the modules cli and app. */
@NullMarked
package dev.gavel.app;

import org.jspecify.annotations.NullMarked;
