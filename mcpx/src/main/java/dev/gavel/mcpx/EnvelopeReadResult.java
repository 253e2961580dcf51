package dev.gavel.mcpx;

/** The result of reading an envelope: the envelope, or the refusal to send back. */
public sealed interface EnvelopeReadResult permits Envelope, EnvelopeRefusal {}
