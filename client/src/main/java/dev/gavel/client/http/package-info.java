/**
 * A running gateway asked by plain HTTP, where no socket is wanted: one question, one answer, or a stream of events.
 * Prints nothing and decides nothing.
 */
@NullMarked
package dev.gavel.client.http;

import org.jspecify.annotations.NullMarked;
