package dev.gavel.mcpx;

/** What became of bytes that were to be an envelope. */
public sealed interface EnvelopeReadResult permits Envelope, EnvelopeRefusal {}
