/**
 * The process definition as data: states, moves, roles, evidence kinds, votes, clocks and texts. Contains no decisions.
 */
@NullMarked
package dev.gavel.lifecycle.process;

import org.jspecify.annotations.NullMarked;
