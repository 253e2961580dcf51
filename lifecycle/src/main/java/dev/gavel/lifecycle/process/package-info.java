/**
 * A process as data: its states, the moves between them, who may make a move and what it needs, what to tell people
 * meanwhile, and the clocks that run. Nothing here decides anything; {@link dev.gavel.lifecycle.process.Process} is
 * what a process file is read into.
 */
@NullMarked
package dev.gavel.lifecycle.process;

import org.jspecify.annotations.NullMarked;
