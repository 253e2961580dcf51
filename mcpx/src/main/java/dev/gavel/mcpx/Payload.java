package dev.gavel.mcpx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The payload of an envelope: a read-only view of the original JSON bytes. A view into them, so whoever made it must
 * leave them alone; otherwise immutable.
 */
public final class Payload {
    private final byte[] bytes;
    private final int offset;
    private final int length;

    Payload(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /** A payload kept elsewhere: the bytes of a JSON object that an {@link EnvelopeReader} has read before. */
    public static Payload of(byte[] json) {
        return new Payload(json, 0, json.length);
    }

    /** How many bytes it is. */
    public int length() {
        return length;
    }

    /** The bytes as they came, in an array of their own. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The bytes as they came, without a copy, not to be written to. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, offset, length).slice().asReadOnlyBuffer();
    }

    byte[] array() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    /** Same bytes, same payload: what tells an envelope that is sent again from another under its id. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        return buffer().hashCode();
    }

    /** The JSON text. */
    @Override
    public String toString() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
