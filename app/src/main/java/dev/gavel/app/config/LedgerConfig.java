package dev.gavel.app.config;

import java.util.Optional;

/** Which database holds the ledger: a SQLite file or PostgreSQL. */
public sealed interface LedgerConfig {
    /** In a file of the data directory, for one process alone. */
    record Sqlite() implements LedgerConfig {}

    /**
     * In a PostgreSQL database, for as many processes as like.
     *
     * @param url as JDBC has it
     */
    record Postgres(String url, Optional<String> user, Optional<String> password) implements LedgerConfig {
        /** Keeps secrets out of logs and messages: the address may hold one too. */
        @Override
        public String toString() {
            return "Postgres[…]";
        }
    }
}
