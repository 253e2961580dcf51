package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;

/**
 * How envelopes are encoded for a receiver: the framing and the syntax; receivers with the same format share one
 * encoded buffer.
 */
record FrameFormat(TransportFraming framing, EnvelopeSyntax syntax) {}
