package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * The refusal of an envelope: error code, message, and the envelope's id, kind and syntax as far as known. Immutable.
 *
 * @param code the error code for programs
 * @param message the reason for people; contains at most a short excerpt of the input
 * @param id the envelope's id if it could be read, so that the error can refer to it
 * @param kind the envelope's kind if it could be read; bounded
 * @param syntax the syntax in which the error is sent
 */
public record EnvelopeRefusal(
        EnvelopeErrorCode code,
        String message,
        @Nullable String id,
        @Nullable Kind kind,
        EnvelopeSyntax syntax) implements EnvelopeReadResult {}
