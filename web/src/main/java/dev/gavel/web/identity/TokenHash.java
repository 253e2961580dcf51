package dev.gavel.web.identity;

import dev.gavel.mcpx.text.Sha256;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The SHA-256 hash of a token, the only form in which tokens are compared and stored. A plain hash suffices because
 * tokens are long and random, not words that could be guessed.
 */
public record TokenHash(String hex) {
    private static final int HEX_LENGTH = 64;

    /** Hashes a plain-text token. */
    public static TokenHash of(String token) {
        return new TokenHash(Sha256.hex(token));
    }

    /** Parses a hash in hexadecimal; empty if it is not one. */
    public static Optional<TokenHash> parse(String hex) {
        String lower = hex.toLowerCase(java.util.Locale.ROOT);
        boolean valid = lower.length() == HEX_LENGTH && lower.chars().allMatch(c -> HexFormat.isHexDigit(c));
        return valid ? Optional.of(new TokenHash(lower)) : Optional.empty();
    }
}
