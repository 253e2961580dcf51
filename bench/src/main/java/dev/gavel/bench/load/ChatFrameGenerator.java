package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Generates one sender's {@code chat.message} envelopes as masked WebSocket frames, each with an id, the sender and a
 * sequence number. A frame is a copy of a prepared one with eight digits changed twice, so that generating load costs
 * next to nothing. Not thread-safe.
 *
 * <p>Lengths vary around their mean, as those of real messages do. If all were equal, batches could all start at the
 * same offset of a page, and some processors copy such memory several times slower: the benchmark would measure that
 * instead of the server.
 */
public final class ChatFrameGenerator {
    /** The mean length of an envelope, without the frame's header. */
    public static final int MEAN_LENGTH = 400;
    /** The number of different lengths, evenly spread around the mean. */
    static final int LENGTH_COUNT = 16;

    private static final int HEADER = 8;
    /** The maximum number of bytes that {@link #append} adds to a buffer. */
    static final int MAX_FRAME_LENGTH = HEADER + MEAN_LENGTH + LENGTH_COUNT;

    /**
     * The first four bytes of a marker, as an {@code int}; four digits of the sender and eight of the sequence follow.
     */
    static final int MARKER_PREFIX = 0x7365713a;

    static final int MARKER_LENGTH = 16;
    /** The first characters of a marker. */
    static final String MARKER_TEXT = "seq:";

    private static final int MAX_SEQUENCE = 99_999_999;
    /** Not 0, which would let a server skip the unmasking that real clients cause. */
    private static final int MASK = 0x5a17c3e9;

    private final byte[][] frames = new byte[LENGTH_COUNT][];
    private final int idDigits;
    private final int markerDigits;
    private int next;

    ChatFrameGenerator(int sender) {
        String number = String.format(Locale.ROOT, "%04d", sender);
        String start = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"bench-" + number + "-";
        String middle = "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"" + MARKER_TEXT + number;
        String end = "\"}}";
        for (int i = 0; i < LENGTH_COUNT; i++) {
            int length = MEAN_LENGTH + 2 * i - LENGTH_COUNT + 1;
            int filler = length - start.length() - 8 - middle.length() - 8 - end.length();
            String text =
                    " the quick brown fox jumps over the lazy dog".repeat(10).substring(0, filler);
            ByteBuffer plain =
                    ByteBuffer.wrap((start + "00000000" + middle + "00000000" + text + end).getBytes(US_ASCII));
            ByteBuffer masked = ByteBuffer.allocate(HEADER + length);
            WebSocketFrameHeaderCodec.putMaskedHeader(masked, WebSocketFrameHeaderCodec.TEXT, length, MASK);
            WebSocketFrameHeaderCodec.putMasked(masked, plain, 0, length, MASK);
            frames[i] = masked.array();
        }
        idDigits = HEADER + start.length();
        markerDigits = idDigits + 8 + middle.length();
    }

    /** The number of envelopes generated. */
    int generatedCount() {
        return next;
    }

    /** Appends the frame of the next envelope. */
    void append(ByteBuffer out) {
        if (next > MAX_SEQUENCE) {
            throw new RunFailedException("a sender used all sequence numbers of eight digits; make the run shorter");
        }
        int at = out.position();
        out.put(frames[scramble(next) & (LENGTH_COUNT - 1)]);
        long digits = toAsciiDigits(next++);
        out.putLong(at + idDigits, digits ^ maskAt(idDigits));
        out.putLong(at + markerDigits, digits ^ maskAt(markerDigits));
    }

    /** Pseudo-random, and the same in every run: if lengths were used in turn, batches would be alike again. */
    private static int scramble(int number) {
        int once = number * 0x9e3779b1;
        int twice = (once ^ once >>> 15) * 0x85ebca77;
        return twice ^ twice >>> 13;
    }

    /** The mask of the eight bytes at an offset in the frame. */
    private static long maskAt(int offset) {
        int rotated = Integer.rotateLeft(MASK, 8 * ((offset - HEADER) & 3));
        return (rotated & 0xffff_ffffL) << 32 | (rotated & 0xffff_ffffL);
    }

    /** A number as eight ASCII digits, the first in the highest byte. */
    static long toAsciiDigits(int number) {
        long digits = 0;
        int rest = number;
        for (int shift = 0; shift < 64; shift += 8) {
            digits |= (long) ('0' + rest % 10) << shift;
            rest /= 10;
        }
        return digits;
    }

    /** Parses eight ASCII digits, the first in the highest byte. */
    static int parseSequence(long digits) {
        // Combines neighbouring digits in parallel, to pairs, fours and eights: receivers do this for every delivery.
        long ones = digits - 0x3030303030303030L;
        long pairs = (ones >>> 8 & 0x000f000f000f000fL) * 10 + (ones & 0x000f000f000f000fL);
        long fours = (pairs >>> 16 & 0x000000ff000000ffL) * 100 + (pairs & 0x000000ff000000ffL);
        return (int) (fours >>> 32) * 10_000 + (int) (fours & 0xffff);
    }

    /** Parses four ASCII digits, the first in the highest byte. */
    static int parseSender(int digits) {
        int ones = digits - 0x30303030;
        return (ones >>> 24) * 1000 + (ones >>> 16 & 0xf) * 100 + (ones >>> 8 & 0xf) * 10 + (ones & 0xf);
    }
}
