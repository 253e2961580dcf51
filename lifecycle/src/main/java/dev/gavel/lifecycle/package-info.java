/**
 * The lifecycle engine: decides commands on specification proposals, explains moves, builds guidance and finds due
 * clock actions by the rules of a process definition. Pure functions without I/O; the time and external facts are
 * arguments.
 */
@NullMarked
package dev.gavel.lifecycle;

import org.jspecify.annotations.NullMarked;
