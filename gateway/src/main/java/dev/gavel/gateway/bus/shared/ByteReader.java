package dev.gavel.gateway.bus.shared;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes a message apart that anybody may have sent. Not thread-safe. */
final class ByteReader {
    private final byte[] bytes;
    private int next;

    ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The message is none; it says why. */
    static final class Unreadable extends Exception {
        Unreadable(String problem) {
            super(problem, null, false, false);
        }
    }

    int octet() throws Unreadable {
        if (next == bytes.length) {
            throw new Unreadable("it breaks off");
        }
        return bytes[next++] & 0xFF;
    }

    long number() throws Unreadable {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int part = octet();
            value |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        throw new Unreadable("a number does not end");
    }

    /** A number that is not negative. */
    long count() throws Unreadable {
        long value = number();
        if (value < 0) {
            throw new Unreadable("a count is negative");
        }
        return value;
    }

    /** How many things follow, each of which has a byte at least. */
    int many() throws Unreadable {
        long value = count();
        if (value > bytes.length - next) {
            throw new Unreadable("it breaks off");
        }
        return (int) value;
    }

    boolean flag() throws Unreadable {
        return switch (octet()) {
            case 0 -> false;
            case 1 -> true;
            default -> throw new Unreadable("what is neither yes nor no");
        };
    }

    String text(int longest) throws Unreadable {
        byte[] block = block(longest);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(block))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Unreadable("a text is not UTF-8");
        }
    }

    byte[] block(int longest) throws Unreadable {
        int size = many();
        if (size > longest) {
            throw new Unreadable("a part has " + size + " bytes and may have " + longest);
        }
        next += size;
        return Arrays.copyOfRange(bytes, next - size, next);
    }

    byte[] rest() {
        byte[] rest = Arrays.copyOfRange(bytes, next, bytes.length);
        next = bytes.length;
        return rest;
    }

    void end() throws Unreadable {
        if (next != bytes.length) {
            throw new Unreadable("it goes on after its end");
        }
    }
}
