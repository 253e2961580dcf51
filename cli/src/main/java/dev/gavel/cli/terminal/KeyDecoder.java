package dev.gavel.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes key presses from the bytes a terminal sends: UTF-8, control characters and escape sequences. Joins a sequence
 * that arrives in several pieces. An escape character at the end of a piece is the Escape key. Not thread-safe.
 */
public final class KeyDecoder {
    private static final int ESCAPE = 0x1b;

    /** The length limit of an escape sequence, in bytes; no key sends more. */
    private static final int LONGEST_SEQUENCE = 16;

    private final ByteArrayOutputStream pendingBytes = new ByteArrayOutputStream();

    /** Returns the keys that are complete with these bytes. */
    public List<TerminalKey> decode(byte[] bytes) {
        pendingBytes.writeBytes(bytes);
        byte[] buffer = pendingBytes.toByteArray();
        pendingBytes.reset();
        List<TerminalKey> keys = new ArrayList<>();
        int start = 0;
        while (start < buffer.length) {
            int end = end(buffer, start);
            if (end > buffer.length) {
                pendingBytes.write(buffer, start, buffer.length - start);
                break;
            }
            keys.add(key(buffer, start, end));
            start = end;
        }
        return keys;
    }

    /**
     * Returns the end offset of the key that begins at this offset; beyond the last byte if more bytes are still to
     * arrive.
     */
    private static int end(byte[] buffer, int start) {
        int first = buffer[start] & 0xff;
        if (first == ESCAPE) {
            return sequenceEnd(buffer, start);
        }
        int length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        for (int next = start + 1; next < Math.min(buffer.length, start + length); next++) {
            if ((buffer[next] & 0xc0) != 0x80) {
                return next;
            }
        }
        return start + length;
    }

    private static int sequenceEnd(byte[] buffer, int start) {
        if (start + 1 == buffer.length) {
            return start + 1;
        }
        if (buffer[start + 1] == 'O') {
            return start + 3;
        }
        if (buffer[start + 1] != '[') {
            // Alt and a key, or two keys: the first key is Escape.
            return start + 1;
        }
        for (int next = start + 2; next < buffer.length && next < start + LONGEST_SEQUENCE; next++) {
            if (buffer[next] >= 0x40) {
                return next + 1;
            }
        }
        return buffer.length < start + LONGEST_SEQUENCE ? buffer.length + 1 : start + LONGEST_SEQUENCE;
    }

    private static TerminalKey key(byte[] buffer, int start, int end) {
        int first = buffer[start] & 0xff;
        if (first == ESCAPE) {
            return end == start + 1
                    ? TerminalKey.Named.ESCAPE
                    : sequence(new String(buffer, start + 2, end - start - 2, StandardCharsets.ISO_8859_1));
        }
        @Nullable TerminalKey control = control(first);
        return control == null
                ? new TerminalKey.Typed(new String(buffer, start, end - start, StandardCharsets.UTF_8).codePointAt(0))
                : control;
    }

    private static @Nullable TerminalKey control(int code) {
        return switch (code) {
            case '\r', '\n' -> TerminalKey.Named.ENTER;
            case 0x7f, 0x08 -> TerminalKey.Named.BACKSPACE;
            case 0x03, 0x04 -> TerminalKey.Named.INTERRUPT;
            case 0x15 -> TerminalKey.Named.ERASE_LINE;
            case 0x17 -> TerminalKey.Named.ERASE_WORD;
            case 0x0c -> TerminalKey.Named.REDRAW;
            default -> code < 0x20 ? TerminalKey.Named.OTHER : null;
        };
    }

    private static TerminalKey sequence(String sequence) {
        return switch (sequence) {
            case "A" -> TerminalKey.Named.UP;
            case "B" -> TerminalKey.Named.DOWN;
            case "H", "1~", "7~" -> TerminalKey.Named.HOME;
            case "F", "4~", "8~" -> TerminalKey.Named.END;
            case "5~" -> TerminalKey.Named.PAGE_UP;
            case "6~" -> TerminalKey.Named.PAGE_DOWN;
            default -> TerminalKey.Named.OTHER;
        };
    }
}
