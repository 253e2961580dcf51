package dev.gavel.gateway.bus.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes numbers, text and blocks into the bytes of a bus message. Not thread-safe. */
final class ByteWriter {
    private byte[] bytes;
    private int size;

    ByteWriter(int expected) {
        this.bytes = new byte[Math.max(16, expected)];
    }

    ByteWriter writeByte(int value) {
        ensureCapacity(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Writes a number in as few bytes as its size needs; a negative number takes ten. */
    ByteWriter writeVarint(long value) {
        ensureCapacity(10);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes[size++] = (byte) ((left & 0x7F) | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
        return this;
    }

    ByteWriter writeText(String value) {
        return writeBlock(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes with a length prefix. */
    ByteWriter writeBlock(byte[] value) {
        return writeVarint(value.length).writeRest(value);
    }

    /** Writes the bytes that end the message. */
    ByteWriter writeRest(byte[] value) {
        ensureCapacity(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    byte[] toBytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    private void ensureCapacity(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }
}
