package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;

/**
 * The framing and syntax that determine an envelope's bytes; receivers with the same format are sent the same buffer.
 */
record FrameFormat(TransportFraming framing, EnvelopeSyntax syntax) {}
