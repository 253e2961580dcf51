package dev.gavel.mcpx;

/**
 * The size limits that an envelope reader enforces, such as bytes, depth, tokens, recipients and kind length.
 * Immutable.
 *
 * @param bytes the length of the whole text, unless it is an answer
 * @param answerBytes the length of the whole text of an answer ({@code mcp.response}); at least {@code bytes}
 * @param depth nested objects and arrays; the envelope itself is the first level
 * @param tokens names, values, brackets and braces in total
 * @param fields names in one object
 * @param nameLength characters of one name
 * @param numberLength characters of one number
 * @param recipients entries of {@code to}
 * @param correlationIds how many envelopes one envelope refers to
 * @param noteLength characters of a {@code reason}, and of a {@code note}
 * @param kindLength characters of a kind, of an entry in {@code to}, and of the context that a payload gives to its
 *     kind
 */
public record EnvelopeLimits(
        int bytes,
        int answerBytes,
        int depth,
        int tokens,
        int fields,
        int nameLength,
        int numberLength,
        int recipients,
        int correlationIds,
        int noteLength,
        int kindLength) {

    /** The maximum length of an envelope's id, in characters; fixed by the protocol, not configurable. */
    public static final int ID_LENGTH = 128;

    /** The default limits of a gateway. */
    public static final EnvelopeLimits DEFAULT =
            new EnvelopeLimits(1 << 20, 16 << 20, 100, 250_000, 10_000, 1024, 1000, 1000, 1000, 4000, 2048);

    /** No limits: for text that was read within limits before and must not fail stricter ones when it is read again. */
    public static final EnvelopeLimits NONE = new EnvelopeLimits(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);

    public EnvelopeLimits {
        if (bytes < 1
                || answerBytes < bytes
                || depth < 1
                || tokens < 1
                || fields < 1
                || nameLength < 1
                || numberLength < 1
                || recipients < 1
                || correlationIds < 1
                || noteLength < 1
                || kindLength < 1) {
            throw new IllegalArgumentException(
                    "Every limit must be at least 1, and the limit of answers at least that of other envelopes");
        }
    }

    /** Returns a copy with another limit of the whole text, in bytes. Answers can be at least as long. */
    public EnvelopeLimits withBytes(int other) {
        return withBytes(other, Math.max(other, answerBytes));
    }

    /** Returns a copy with other limits of the whole text, in bytes. */
    public EnvelopeLimits withBytes(int other, int ofAnswers) {
        return withBytesAndTokens(other, ofAnswers, tokens);
    }

    /** Returns the limits for an envelope that is so long that it must be an answer: it can have more tokens, too. */
    EnvelopeLimits ofLongAnswers() {
        long scaled = (long) tokens * answerBytes / bytes;
        return withBytesAndTokens(answerBytes, answerBytes, (int) Math.min(scaled, Math.max(tokens, answerBytes / 4)));
    }

    private EnvelopeLimits withBytesAndTokens(int newBytes, int newAnswerBytes, int newTokens) {
        return new EnvelopeLimits(
                newBytes,
                newAnswerBytes,
                depth,
                newTokens,
                fields,
                nameLength,
                numberLength,
                recipients,
                correlationIds,
                noteLength,
                kindLength);
    }
}
