package dev.gavel.web.identity;

import dev.gavel.client.http.LocalServerDefaults;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Reads the plain-text token files in the server's data directory, and creates missing ones at first start. These are
 * the only tokens stored in plain text, so that a user who can read the directory can use the server on the same
 * machine.
 */
public final class InitialTokenFiles {
    private static final int RANDOM_BYTES = 32;

    private final Path data;

    public InitialTokenFiles(Path data) {
        this.data = data;
    }

    /** The file that stores an identity's token. */
    public Path file(String identity) {
        return LocalServerDefaults.tokenFile(data, identity);
    }

    /** Returns the hash of an identity's token; creates the token if there is none. */
    public TokenHash loadOrCreateHash(String identity) throws IOException {
        Path file = file(identity);
        String token = SecretFile.readOrCreate(file, InitialTokenFiles::newToken);
        if (token.isEmpty()) {
            throw new IOException("the token file " + file + " is empty; delete it to create a new token");
        }
        Optional<String> problem = WeakTokenDetector.problem(token);
        if (problem.isPresent()) {
            throw new IOException("the token in " + file + " " + problem.get() + ", or delete the file");
        }
        return TokenHash.of(token);
    }

    /** Returns a new random token. Its prefix lets secret scanners recognize it. */
    public static String newToken() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return "gvl_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
