/**
 * What the core answers: a {@link dev.gavel.lifecycle.answer.Decision} that is accepted or refused with all it would
 * take, and {@link dev.gavel.lifecycle.answer.Guidance}. None of it knows of processes, so a lifecycle whose rules are
 * code answers in the same words.
 */
@NullMarked
package dev.gavel.lifecycle.answer;

import org.jspecify.annotations.NullMarked;
