package dev.gavel.ledger;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 hash value, written and parsed as hexadecimal digits. Immutable, as long as nobody changes the array
 * within.
 */
public final class Hash {
    /** How many bytes it has. */
    public static final int LENGTH = 32;

    private static final HexFormat HEX = HexFormat.of();

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** These very bytes, not a copy; empty where they are no hash. */
    public static Optional<Hash> of(byte @Nullable [] bytes) {
        return bytes == null || bytes.length != LENGTH ? Optional.empty() : Optional.of(new Hash(bytes));
    }

    /** Reads what {@link #toString} writes, in small or capital letters; empty where that is no hash. */
    public static Optional<Hash> parse(String hex) {
        try {
            return of(HEX.parseHex(hex));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The bytes themselves, not a copy: for reading only. */
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

    /** In hexadecimal digits. */
    @Override
    public String toString() {
        return HEX.formatHex(bytes);
    }
}
