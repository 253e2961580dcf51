package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;

/**
 * The framing and syntax in which a receiver gets envelopes; receivers with the same format share one encoded buffer.
 */
record FrameFormat(TransportFraming framing, EnvelopeSyntax syntax) {}
