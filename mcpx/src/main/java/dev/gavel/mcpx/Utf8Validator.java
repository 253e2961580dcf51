package dev.gavel.mcpx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Validates that bytes are well-formed UTF-8 and that JSON escapes contain no unpaired surrogates. Jackson checks
 * neither in values that it skips, but a receiver's parser might: a forwarded envelope must parse in the same way
 * everywhere. Stateless.
 */
public final class Utf8Validator {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long BACKSLASHES = LOW_BITS * '\\';

    private Utf8Validator() {}

    /** Whether the bytes are well-formed UTF-8. */
    public static boolean isUtf8(byte[] bytes) {
        int at = skipAscii(bytes, 0, bytes.length);
        while (at < bytes.length) {
            int next = bytes[at] == '\\' ? at + 1 : multiByteEnd(bytes, at, bytes.length);
            if (next < 0) {
                return false;
            }
            at = skipAscii(bytes, next, bytes.length);
        }
        return true;
    }

    /** The problem of the bytes, or null if there is none. */
    static @Nullable String findProblem(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            at = skipAscii(bytes, at, end);
            if (at == end) {
                return null;
            }
            int next = bytes[at] == '\\' ? escapeEnd(bytes, at, end) : multiByteEnd(bytes, at, end);
            if (next < 0) {
                return bytes[at] == '\\'
                        ? "the escape at byte " + (at - offset) + " is only half of a surrogate pair"
                        : "byte " + (at - offset) + " is not valid UTF-8";
            }
            at = next;
        }
        return null;
    }

    /**
     * The offset of the first byte that is a backslash or not ASCII. Such bytes are rare, so eight bytes are tested at
     * a time.
     */
    private static int skipAscii(byte[] bytes, int from, int end) {
        int at = from;
        for (; at + 8 <= end; at += 8) {
            long word = (long) EIGHT.get(bytes, at);
            long slashes = word ^ BACKSLASHES;
            if (((word | ((slashes - LOW_BITS) & ~slashes)) & HIGH_BITS) != 0) {
                break;
            }
        }
        while (at < end && bytes[at] >= 0 && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    /**
     * The end of the multi-byte character at this offset, or -1 if it is overlong, a surrogate, too large or truncated.
     */
    private static int multiByteEnd(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xFF;
        int continuationBytes =
                first >= 0xC2 && first <= 0xDF ? 1 : first >> 4 == 0xE ? 2 : first >= 0xF0 && first <= 0xF4 ? 3 : -1;
        if (continuationBytes < 0 || at + continuationBytes >= end) {
            return -1;
        }
        int second = bytes[at + 1] & 0xFF;
        int minSecond = switch (first) {
            case 0xE0 -> 0xA0;
            case 0xF0 -> 0x90;
            default -> 0x80;
        };
        int maxSecond = switch (first) {
            case 0xED -> 0x9F;
            case 0xF4 -> 0x8F;
            default -> 0xBF;
        };
        if (second < minSecond || second > maxSecond) {
            return -1;
        }
        for (int i = 2; i <= continuationBytes; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return -1;
            }
        }
        return at + continuationBytes + 1;
    }

    /**
     * The end of the escape at this offset, or -1 for an unpaired surrogate. Jackson checks that JSON knows the escape.
     */
    private static int escapeEnd(byte[] bytes, int at, int end) {
        int unit = utf16Unit(bytes, at, end);
        if (unit < 0 || !Character.isSurrogate((char) unit)) {
            return Math.min(unit < 0 ? at + 2 : at + 6, end);
        }
        int next = utf16Unit(bytes, at + 6, end);
        return Character.isHighSurrogate((char) unit) && next >= 0 && Character.isLowSurrogate((char) next)
                ? at + 12
                : -1;
    }

    /** The UTF-16 code unit of the escape at this offset, or -1 if there is none. */
    private static int utf16Unit(byte[] bytes, int at, int end) {
        if (at + 6 > end || bytes[at] != '\\' || bytes[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }
}
