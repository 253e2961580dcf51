package dev.gavel.mcpx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The payload of an envelope as its original, unparsed JSON bytes. The code that creates it must not modify the bytes
 * afterwards; otherwise immutable.
 */
public final class RawPayload {
    private final byte[] bytes;
    private final int offset;
    private final int length;

    RawPayload(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /**
     * Returns a payload from stored bytes; they must be a JSON object that an {@link EnvelopeReader} has accepted
     * before.
     */
    public static RawPayload of(byte[] json) {
        return new RawPayload(json, 0, json.length);
    }

    /** The length in bytes. */
    public int length() {
        return length;
    }

    /** Returns a copy of the original bytes. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** Returns the original bytes as a read-only buffer, without a copy. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, offset, length).slice().asReadOnlyBuffer();
    }

    byte[] array() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    /** Compares the bytes: this distinguishes an envelope that is sent again from another one with the same id. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RawPayload that
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        return buffer().hashCode();
    }

    /** Returns the JSON text. */
    @Override
    public String toString() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
