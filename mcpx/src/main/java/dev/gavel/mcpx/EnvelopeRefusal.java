package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * The refusal of an envelope: error code, message, and the envelope's id, kind and syntax as far as known. Immutable.
 *
 * @param code what goes over the wire
 * @param message for a person; never holds more than a short excerpt of what was sent
 * @param id the envelope's id where it could be read, so that the error can refer to it
 * @param kind what the envelope said it was, where that could be read; bounded
 * @param syntax in which to answer
 */
public record EnvelopeRefusal(
        EnvelopeErrorCode code,
        String message,
        @Nullable String id,
        @Nullable Kind kind,
        SyntaxVersion syntax) implements EnvelopeReadResult {}
