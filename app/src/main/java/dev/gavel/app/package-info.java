/** The program: {@link dev.gavel.app.Main} builds the object graph and runs the command line. */
@NullMarked
package dev.gavel.app;

import org.jspecify.annotations.NullMarked;
