package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.SyntaxVersion;

/** What an envelope's bytes on a wire depend on; receivers of one form can share them. */
record FrameFormat(TransportFraming framing, SyntaxVersion syntax) {}
