package dev.gavel.mcpx;

/**
 * The byte offsets of an envelope's fields that forwarding may replace, and of its payload. A value's span includes its
 * quotes or brackets. Filled while reading, left alone after.
 */
final class EnvelopeOffsets {
    int openingBrace = -1;
    int toStart = -1;
    int toEnd = -1;
    int kindStart = -1;
    int kindEnd = -1;
    SyntaxVersion kindSyntax = SyntaxVersion.CURRENT;
    /** The opening quote of the name; its end is looked for only when the name has to be changed. */
    int correlationStart = -1;

    SyntaxVersion correlationSyntax = SyntaxVersion.CURRENT;
    int payloadStart = -1;
    int payloadEnd = -1;
}
