package dev.gavel.mcpx;

/**
 * The byte offsets of an envelope's payload and of the fields that may be replaced when the envelope is forwarded. The
 * range of a value includes its quotes or brackets. {@link EnvelopeTokenParser} sets the offsets; they do not change
 * afterwards.
 */
final class EnvelopeOffsets {
    int openingBrace = -1;
    int toStart = -1;
    int toEnd = -1;
    int kindStart = -1;
    int kindEnd = -1;
    EnvelopeSyntax kindSyntax = EnvelopeSyntax.CURRENT;
    /** The opening quote of the name; its end is searched only if the name must be replaced. */
    int correlationStart = -1;

    EnvelopeSyntax correlationSyntax = EnvelopeSyntax.CURRENT;
    int payloadStart = -1;
    int payloadEnd = -1;
}
