package dev.gavel.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The content of a ledger event or summary as bytes, usually JSON in UTF-8, which the ledger stores without parsing.
 * Immutable, as long as no caller changes the wrapped array.
 */
public final class LedgerBody {
    private final byte[] bytes;

    private LedgerBody(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the given array without copying it: the caller must not change it afterwards. */
    public static LedgerBody of(byte[] bytes) {
        return new LedgerBody(bytes);
    }

    /** Encodes the text as UTF-8. */
    public static LedgerBody of(String text) {
        return new LedgerBody(text.getBytes(UTF_8));
    }

    /** Returns the wrapped array itself, not a copy: callers must not change it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the length in bytes. */
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

    /** Returns the bytes decoded as UTF-8. */
    @Override
    public String toString() {
        return new String(bytes, UTF_8);
    }
}
