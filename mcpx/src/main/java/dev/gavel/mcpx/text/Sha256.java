package dev.gavel.mcpx.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 digests, mostly of texts in UTF-8. Stateless. */
public final class Sha256 {
    private Sha256() {}

    public static byte[] digest(String text) {
        return newMessageDigest().digest(text.getBytes(UTF_8));
    }

    /** Returns a new digest for bytes. It is not thread-safe. */
    public static MessageDigest newMessageDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the digest as 64 hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(digest(text));
    }
}
