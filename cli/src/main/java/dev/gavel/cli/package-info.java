/**
 * Shared parts of the command line: the root command, base classes, server options, output, errors and exit codes. Also
 * contains the commands {@code gavel health} and {@code gavel completion}.
 */
@NullMarked
package dev.gavel.cli;

import org.jspecify.annotations.NullMarked;
