/**
 * What happened to a proposal: {@link dev.gavel.lifecycle.history.Event}s, and the
 * {@link dev.gavel.lifecycle.history.Standing} they fold to. Folding needs no process, so a history means the same
 * whatever becomes of the rules.
 */
@NullMarked
package dev.gavel.lifecycle.history;

import org.jspecify.annotations.NullMarked;
