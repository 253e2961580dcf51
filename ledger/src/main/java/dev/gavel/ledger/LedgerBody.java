package dev.gavel.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Holds the bytes of an event or summary that the ledger stores without parsing, by convention JSON in UTF-8.
 * Immutable, as long as nobody changes the array within.
 */
public final class LedgerBody {
    private final byte[] bytes;

    private LedgerBody(byte[] bytes) {
        this.bytes = bytes;
    }

    /** These very bytes, not a copy: the array must not be changed any more. */
    public static LedgerBody of(byte[] bytes) {
        return new LedgerBody(bytes);
    }

    /** This text in UTF-8. */
    public static LedgerBody of(String text) {
        return new LedgerBody(text.getBytes(UTF_8));
    }

    /** The bytes themselves, not a copy: for reading only. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many bytes there are. */
    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LedgerBody body && Arrays.equals(bytes, body.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The bytes as text. */
    @Override
    public String toString() {
        return new String(bytes, UTF_8);
    }
}
