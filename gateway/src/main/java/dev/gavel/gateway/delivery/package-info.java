/**
 * Writes envelopes to receivers. The envelopes that a topic sends within one run of its event loop (a delivery pass)
 * are framed once, merged into one buffer and written to each receiver in one write. {@code TransportChannel} is the
 * port that a transport implements.
 */
@NullMarked
package dev.gavel.gateway.delivery;

import org.jspecify.annotations.NullMarked;
