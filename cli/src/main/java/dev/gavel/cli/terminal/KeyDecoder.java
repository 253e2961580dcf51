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

    private final ByteArrayOutputStream incomplete = new ByteArrayOutputStream();

    /** Returns the keys that are complete with these bytes. */
    public List<TerminalKey> decode(byte[] bytes) {
        incomplete.writeBytes(bytes);
        byte[] all = incomplete.toByteArray();
        incomplete.reset();
        List<TerminalKey> keys = new ArrayList<>();
        int at = 0;
        while (at < all.length) {
            int end = end(all, at);
            if (end > all.length) {
                incomplete.write(all, at, all.length - at);
                break;
            }
            keys.add(key(all, at, end));
            at = end;
        }
        return keys;
    }

    /**
     * Returns the end offset of the key that begins at this offset; beyond the last byte if more bytes are still to
     * arrive.
     */
    private static int end(byte[] all, int at) {
        int first = all[at] & 0xff;
        if (first == ESCAPE) {
            return sequenceEnd(all, at);
        }
        int length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        for (int next = at + 1; next < Math.min(all.length, at + length); next++) {
            if ((all[next] & 0xc0) != 0x80) {
                return next;
            }
        }
        return at + length;
    }

    private static int sequenceEnd(byte[] all, int at) {
        if (at + 1 == all.length) {
            return at + 1;
        }
        if (all[at + 1] == 'O') {
            return at + 3;
        }
        if (all[at + 1] != '[') {
            // Alt and a key, or two keys: the first key is Escape.
            return at + 1;
        }
        for (int next = at + 2; next < all.length && next < at + LONGEST_SEQUENCE; next++) {
            if (all[next] >= 0x40) {
                return next + 1;
            }
        }
        return all.length < at + LONGEST_SEQUENCE ? all.length + 1 : at + LONGEST_SEQUENCE;
    }

    private static TerminalKey key(byte[] all, int at, int end) {
        int first = all[at] & 0xff;
        if (first == ESCAPE) {
            return end == at + 1
                    ? TerminalKey.Named.ESCAPE
                    : sequence(new String(all, at + 2, end - at - 2, StandardCharsets.ISO_8859_1));
        }
        @Nullable TerminalKey control = control(first);
        return control == null
                ? new TerminalKey.Typed(new String(all, at, end - at, StandardCharsets.UTF_8).codePointAt(0))
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
