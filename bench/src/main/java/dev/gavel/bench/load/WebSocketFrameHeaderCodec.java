package dev.gavel.bench.load;

import java.nio.ByteBuffer;

/**
 * Reads and writes WebSocket frame headers (RFC 6455 §5.2) and masks payloads, directly in byte buffers without
 * allocating objects. Buffers are in network byte order.
 */
final class WebSocketFrameHeaderCodec {
    static final int TEXT = 1;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** The maximum length of a header: two bytes, eight of length, four of mask. */
    static final int LONGEST_HEADER = 14;

    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int LENGTH_IN_16_BITS = 126;
    private static final int LENGTH_IN_64_BITS = 127;

    private WebSocketFrameHeaderCodec() {}

    /** The length of the header that starts at {@code at}, or 0 if it is not complete before {@code end}. */
    static int headerLength(ByteBuffer in, int at, int end) {
        if (end - at < 2) {
            return 0;
        }
        int second = in.get(at + 1);
        int length = second & 0x7f;
        int header = 2
                + (length < LENGTH_IN_16_BITS ? 0 : length == LENGTH_IN_16_BITS ? 2 : 8)
                + ((second & MASKED) == 0 ? 0 : 4);
        return end - at < header ? 0 : header;
    }

    /** The length of the payload of a frame whose header is complete; negative if the peer sent an invalid length. */
    static long payloadLength(ByteBuffer in, int at) {
        int length = in.get(at + 1) & 0x7f;
        return switch (length) {
            case LENGTH_IN_16_BITS -> in.getShort(at + 2) & 0xffff;
            case LENGTH_IN_64_BITS -> in.getLong(at + 2);
            default -> length;
        };
    }

    static int opcode(ByteBuffer in, int at) {
        return in.get(at) & 0x0f;
    }

    static boolean isFinal(ByteBuffer in, int at) {
        return (in.get(at) & FINAL) != 0;
    }

    static boolean isMasked(ByteBuffer in, int at) {
        return (in.get(at + 1) & MASKED) != 0;
    }

    /** Appends the header of an unmasked final frame. */
    static void putHeader(ByteBuffer out, int opcode, int length) {
        putHeader(out, opcode, length, 0);
    }

    /** Appends the header of a masked final frame. */
    static void putMaskedHeader(ByteBuffer out, int opcode, int length, int mask) {
        putHeader(out, opcode, length, MASKED);
        out.putInt(mask);
    }

    private static void putHeader(ByteBuffer out, int opcode, int length, int masked) {
        out.put((byte) (FINAL | opcode));
        if (length < LENGTH_IN_16_BITS) {
            out.put((byte) (masked | length));
        } else if (length <= 0xffff) {
            out.put((byte) (masked | LENGTH_IN_16_BITS)).putShort((short) length);
        } else {
            out.put((byte) (masked | LENGTH_IN_64_BITS)).putLong(length);
        }
    }

    /** Appends {@code length} bytes of {@code in} from {@code at} on, masked or unmasked. */
    static void putMasked(ByteBuffer out, ByteBuffer in, int at, int length, int mask) {
        long wide = (mask & 0xffff_ffffL) << 32 | (mask & 0xffff_ffffL);
        int to = out.position();
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            out.putLong(to + i, in.getLong(at + i) ^ wide);
        }
        for (; i < length; i++) {
            out.put(to + i, (byte) (in.get(at + i) ^ mask >>> (24 - 8 * (i & 3))));
        }
        out.position(to + length);
    }
}
