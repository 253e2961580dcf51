package dev.gavel.ledger.postgres;

/** A ledger opened for reading alone, beside whichever processes write it: it changes nothing, and keeps nobody out. Thread-safe. */
public final class PostgresReadOnlyLedger extends AbstractPostgresLedger {
    PostgresReadOnlyLedger(PostgresConnector postgresConnector, PostgresOptions options) {
        super(postgresConnector, options);
    }

    /** Opens a database that has a ledger already. */
    public static PostgresOpenResult<PostgresReadOnlyLedger> open(PostgresOptions options) {
        return PostgresLedgerOpener.openReadOnly(options, PostgresMigrations.ALL);
    }
}
