/**
 * Proposals with a lifecycle, without I/O: {@link dev.gavel.lifecycle.Lifecycle} decides
 * {@link dev.gavel.lifecycle.Command}s, gives guidance and says what is {@link dev.gavel.lifecycle.Due}, by the rules of
 * a {@link dev.gavel.lifecycle.process.Process}. Time is an argument, and so are the
 * {@link dev.gavel.lifecycle.Circumstances} that no history holds. Nothing here knows any one process's words.
 */
@NullMarked
package dev.gavel.lifecycle;

import org.jspecify.annotations.NullMarked;
