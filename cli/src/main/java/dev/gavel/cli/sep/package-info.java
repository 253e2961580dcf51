/**
 * The commands of {@code gavel sep}, one class per command, except {@code gavel sep board}, which is in the app module.
 */
@NullMarked
package dev.gavel.cli.sep;

import org.jspecify.annotations.NullMarked;
