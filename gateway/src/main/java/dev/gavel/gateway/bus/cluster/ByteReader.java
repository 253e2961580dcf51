package dev.gavel.gateway.bus.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads numbers, text and blocks from the bytes of an untrusted bus message. Not thread-safe. */
final class ByteReader {
    private final byte[] bytes;
    private int position;

    ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Thrown if the bytes are not a valid message; the exception message says why. */
    static final class MalformedMessageException extends Exception {
        MalformedMessageException(String problem) {
            super(problem, null, false, false);
        }
    }

    int readByte() throws MalformedMessageException {
        if (position == bytes.length) {
            throw new MalformedMessageException("it is incomplete");
        }
        return bytes[position++] & 0xFF;
    }

    long readVarint() throws MalformedMessageException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int part = readByte();
            value |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        throw new MalformedMessageException("a number is too long");
    }

    /** Reads a number that is not negative. */
    long readCount() throws MalformedMessageException {
        long value = readVarint();
        if (value < 0) {
            throw new MalformedMessageException("a count is negative");
        }
        return value;
    }

    /** Reads the number of items that follow. Each of them has at least one byte. */
    int readLength() throws MalformedMessageException {
        long value = readCount();
        if (value > bytes.length - position) {
            throw new MalformedMessageException("it is incomplete");
        }
        return (int) value;
    }

    boolean readBoolean() throws MalformedMessageException {
        return switch (readByte()) {
            case 0 -> false;
            case 1 -> true;
            default -> throw new MalformedMessageException("a flag is neither 0 nor 1");
        };
    }

    String readText(int maxBytes) throws MalformedMessageException {
        byte[] block = readBlock(maxBytes);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(block))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException("a text is not UTF-8");
        }
    }

    byte[] readBlock(int maxBytes) throws MalformedMessageException {
        int size = readLength();
        if (size > maxBytes) {
            throw new MalformedMessageException("a part has " + size + " bytes, but the limit is " + maxBytes);
        }
        position += size;
        return Arrays.copyOfRange(bytes, position - size, position);
    }

    byte[] readRest() {
        byte[] rest = Arrays.copyOfRange(bytes, position, bytes.length);
        position = bytes.length;
        return rest;
    }

    void requireEnd() throws MalformedMessageException {
        if (position != bytes.length) {
            throw new MalformedMessageException("there is extra data at its end");
        }
    }
}
