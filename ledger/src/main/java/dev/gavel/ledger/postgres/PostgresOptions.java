package dev.gavel.ledger.postgres;

import java.time.Duration;
import java.util.Optional;

/**
 * Options of a PostgreSQL ledger: JDBC URL, credentials, exclusive or shared use, concurrent readers and retry time.
 * Immutable.
 *
 * @param url as JDBC has it; what it says of timeouts and the like beats what is usual here
 * @param use whether other processes may use it too
 * @param readers how many may read at the same time
 * @param retryTimeout how long writing is tried again while the database is away
 */
public record PostgresOptions(
        String url, Optional<String> user, Optional<String> password, Use use, int readers, Duration retryTimeout) {
    /** Who may use a ledger at the same time. */
    public enum Use {
        /** This process and no other. */
        EXCLUSIVE,
        /** Any number of processes that hear of each other. */
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

    public PostgresOptions retryTimeout(Duration other) {
        return new PostgresOptions(url, user, password, use, readers, other);
    }

    /** The address without what may be secret in it: for messages. */
    public String displayAddress() {
        String plain = url.replaceFirst("\\?.*", "").replaceFirst("//[^/@]*@", "//");
        return plain.replaceFirst("^jdbc:postgresql:(//)?", "");
    }

    /** Keeps secrets out of logs and messages. */
    @Override
    public String toString() {
        return "PostgresOptions[" + displayAddress() + "]";
    }
}
