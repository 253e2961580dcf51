/** The commands of {@code gavel sep}: one class a command. Found as a service, since the commands above know nothing of them. */
@NullMarked
package dev.gavel.app.cli.sep;

import org.jspecify.annotations.NullMarked;
