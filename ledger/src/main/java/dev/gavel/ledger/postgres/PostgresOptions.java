package dev.gavel.ledger.postgres;

import java.time.Duration;
import java.util.Optional;

/**
 * Options of a PostgreSQL ledger: JDBC URL, credentials, exclusive or shared use, concurrent readers and retry time.
 * Immutable.
 *
 * @param url the JDBC URL; its settings, such as timeouts, have precedence over the defaults of this package
 * @param use whether other processes may use the ledger too
 * @param readers the number of concurrent reads
 * @param retryTimeout how long a write is retried while the database is unavailable
 */
public record PostgresOptions(
        String url, Optional<String> user, Optional<String> password, Use use, int readers, Duration retryTimeout) {
    /** Which processes may use a ledger at the same time. */
    public enum Use {
        /** Only this process. */
        EXCLUSIVE,
        /** Any number of processes that are connected by a bus. */
        SHARED
    }

    private static final int READERS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    public PostgresOptions {
        if (readers < 1) {
            throw new IllegalArgumentException("at least one reader is needed, not " + readers);
        }
    }

    public static PostgresOptions of(String url, Optional<String> user, Optional<String> password, Use use) {
        return new PostgresOptions(url, user, password, use, READERS, PATIENCE);
    }

    public PostgresOptions retryTimeout(Duration timeout) {
        return new PostgresOptions(url, user, password, use, readers, timeout);
    }

    /** Returns the address without its secret parts, for messages. */
    public String displayAddress() {
        String plain = url.replaceFirst("\\?.*", "").replaceFirst("//[^/@]*@", "//");
        return plain.replaceFirst("^jdbc:postgresql:(//)?", "");
    }

    /** Omits the secrets, so that they do not appear in logs and messages. */
    @Override
    public String toString() {
        return "PostgresOptions[" + displayAddress() + "]";
    }
}
