package dev.gavel.ledger;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 hash value, written and parsed as hexadecimal digits. Immutable, as long as no caller changes the wrapped
 * array.
 */
public final class Hash {
    /** The length in bytes. */
    public static final int LENGTH = 32;

    private static final HexFormat HEX = HexFormat.of();

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the given array without copying it; empty if it is null or not 32 bytes long. */
    public static Optional<Hash> of(byte @Nullable [] bytes) {
        return bytes == null || bytes.length != LENGTH ? Optional.empty() : Optional.of(new Hash(bytes));
    }

    /** Parses what {@link #toString} writes, in lower or upper case; empty if the text is not a hash. */
    public static Optional<Hash> parse(String hex) {
        try {
            return of(HEX.parseHex(hex));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the wrapped array itself, not a copy: callers must not change it. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Hash hash && Arrays.equals(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the hash as lowercase hexadecimal digits. */
    @Override
    public String toString() {
        return HEX.formatHex(bytes);
    }
}
