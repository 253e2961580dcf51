package dev.gavel.web.identity;

import dev.gavel.client.http.LocalServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Reads the plain-text token files in the server's data directory, and creates missing ones at first start. They are
 * the only tokens kept in clear, so that whoever can read the directory can use the server beside it.
 */
public final class InitialTokenFiles {
    private static final int RANDOM_BYTES = 32;

    private final Path data;

    /** The token files of a data directory. */
    public InitialTokenFiles(Path data) {
        this.data = data;
    }

    /** Where an identity's token is kept. */
    public Path file(String identity) {
        return LocalServer.tokenFile(data, identity);
    }

    /** The hash of an identity's token, which is made where there is none. */
    public TokenHash loadOrCreateHash(String identity) throws IOException {
        Path file = file(identity);
        String token = SecretFile.readOrCreate(file, InitialTokenFiles::newToken);
        if (token.isEmpty()) {
            throw new IOException("the token file " + file + " is empty: delete it, and a new token is made");
        }
        return TokenHash.of(token);
    }

    /** A new token: its prefix lets secret scanners know it. */
    public static String newToken() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return "gvl_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
