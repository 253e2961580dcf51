package dev.gavel.ledger.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.ledger.LedgerException;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Derives secrets that all processes on one PostgreSQL ledger share, from a random value in the database and the
 * database password. The first process generates the random value. Because the password is part of the derivation, a
 * copy of the database alone does not reveal the secret. Thread-safe.
 */
record SharedSecretDeriver(PostgresOptions options, PostgresConnectionPool pool) {
    private static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern PASSWORD = Pattern.compile("[?&]password=([^&]*)");

    byte[] get(String name) {
        byte[] storedValue = pool.readWithSession(session -> {
            byte[] randomValue = new byte[BYTES];
            new SecureRandom().nextBytes(randomValue);
            session.update("INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", name, randomValue);
            return session.first("SELECT value FROM setting WHERE name = ?", row -> row.getBytes(1), name)
                    .orElseThrow(() -> new LedgerException("the setting '" + name + "' was removed while it was read"));
        });
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(("gavel:" + password()).getBytes(UTF_8), ALGORITHM));
            return mac.doFinal(storedValue);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is not available", e);
        }
    }

    /**
     * Returns the database password; empty if there is none. In that case the database's other means of authentication
     * protect the secret.
     */
    private String password() {
        Matcher matcher = PASSWORD.matcher(options.url());
        // A password in the URL has precedence over the option, as it does for the driver.
        return matcher.find()
                ? URLDecoder.decode(matcher.group(1), UTF_8)
                : options.password().orElse("");
    }

    @Override
    public String toString() {
        return "Secret[]";
    }
}
