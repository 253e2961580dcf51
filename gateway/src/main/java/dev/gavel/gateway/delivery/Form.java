package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.Spelling;

/** What an envelope's bytes on a wire depend on; receivers of one form can share them. */
record Form(Framing framing, Spelling spelling) {}
