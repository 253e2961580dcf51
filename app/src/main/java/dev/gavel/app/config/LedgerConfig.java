package dev.gavel.app.config;

import java.util.Optional;

/** Which database holds the ledger: a SQLite file or PostgreSQL. */
public sealed interface LedgerConfig {
    /** A file in the data directory, for a single process. */
    record Sqlite() implements LedgerConfig {}

    /**
     * A PostgreSQL database, for any number of processes.
     *
     * @param url the JDBC URL
     */
    record Postgres(String url, Optional<String> user, Optional<String> password) implements LedgerConfig {
        /** Hides secrets from logs and messages: the URL may contain one, too. */
        @Override
        public String toString() {
            return "Postgres[…]";
        }
    }
}
