package dev.gavel.web.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HMAC key that signs console sessions, kept in the data directory, or in the ledger if several processes share it.
 * Processes that share a ledger share the key. Thread-safe.
 */
public final class SessionSigningKey {
    private static final Logger log = LoggerFactory.getLogger(SessionSigningKey.class);

    private static final int BYTES = 32;

    private final Supplier<byte[]> source;
    private byte @Nullable [] key;

    private SessionSigningKey(Supplier<byte[]> source) {
        this.source = source;
    }

    /** The key stored in a data directory. If it cannot be stored there, sessions end with the process. */
    public static SessionSigningKey inDirectory(Path data) {
        return new SessionSigningKey(() -> {
            try {
                return decode(SecretFile.readOrCreate(
                        data.resolve("session.key"),
                        () -> Base64.getUrlEncoder().withoutPadding().encodeToString(randomKey())));
            } catch (IOException e) {
                log.warn("The session key cannot be stored, so sessions end when the server stops: {}", e.getMessage());
                return randomKey();
            }
        });
    }

    /**
     * A key shared by all processes that serve the same topics, so that a person who signs in at one is signed in at
     * all.
     */
    public static SessionSigningKey shared(byte[] secret) {
        byte[] copy = secret.clone();
        return new SessionSigningKey(() -> copy);
    }

    /** A random key that is stored nowhere. */
    public static SessionSigningKey ephemeral() {
        return new SessionSigningKey(SessionSigningKey::randomKey);
    }

    private static byte[] decode(String text) throws IOException {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            bytes = new byte[0];
        }
        if (bytes.length < BYTES) {
            throw new IOException("session.key does not contain a valid key; delete the file to create a new key");
        }
        return bytes;
    }

    private static byte[] randomKey() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return random;
    }

    /**
     * Signs a text.
     *
     * @param purpose what the signature is for, so that a signature for one purpose is not valid for another
     */
    public String sign(String purpose, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(), "HmacSHA256"));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal((purpose + "\n" + text).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has HmacSHA256", e);
        }
    }

    private synchronized byte[] key() {
        if (key == null) {
            key = source.get();
        }
        return key;
    }
}
