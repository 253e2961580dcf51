package dev.gavel.mcpx;

/**
 * Replaces a few byte ranges of an array and copies the rest unchanged. Not thread-safe; create one for each result.
 */
final class ByteSplicer {
    private static final int MAX_REPLACEMENTS = 4;

    private final byte[] original;
    private final int offset;
    private final int length;
    private final int[] starts = new int[MAX_REPLACEMENTS];
    private final int[] ends = new int[MAX_REPLACEMENTS];
    private final byte[][] replacements = new byte[MAX_REPLACEMENTS][];
    private int count;
    private int lengthChange;

    ByteSplicer(byte[] original, int offset, int length) {
        this.original = original;
        this.offset = offset;
        this.length = length;
    }

    /**
     * Replaces the bytes from start (inclusive) to end (exclusive) with a piece. Ranges must not overlap; at most
     * {@link #MAX_REPLACEMENTS}.
     */
    void replace(int start, int end, byte[] piece) {
        int at = count++;
        while (at > 0 && starts[at - 1] > start) {
            starts[at] = starts[at - 1];
            ends[at] = ends[at - 1];
            replacements[at] = replacements[at - 1];
            at--;
        }
        starts[at] = start;
        ends[at] = end;
        replacements[at] = piece;
        lengthChange += piece.length - (end - start);
    }

    /**
     * Returns the result. If nothing was replaced and the range is the whole original array, returns that array without
     * a copy.
     */
    byte[] toBytes() {
        if (count == 0 && offset == 0 && length == original.length) {
            return original;
        }
        byte[] result = new byte[length + lengthChange];
        int from = offset;
        int to = 0;
        for (int i = 0; i < count; i++) {
            int same = starts[i] - from;
            System.arraycopy(original, from, result, to, same);
            System.arraycopy(replacements[i], 0, result, to + same, replacements[i].length);
            to += same + replacements[i].length;
            from = ends[i];
        }
        System.arraycopy(original, from, result, to, offset + length - from);
        return result;
    }
}
