/**
 * A connection that outlives its sockets: what is sent is sent again until it is known to be kept, what was missed is
 * asked for, and what comes twice is handed on once. {@link dev.gavel.client.link.Outbox} and
 * {@link dev.gavel.client.link.Bookmark} decide and do no I/O; {@link dev.gavel.client.link.Line} does I/O and decides
 * nothing.
 */
@NullMarked
package dev.gavel.client.link;

import org.jspecify.annotations.NullMarked;
