package dev.gavel.ledger.postgres;

/** Reads a PostgreSQL ledger beside the processes that write it, without changing it. Thread-safe. */
public final class PostgresReadOnlyLedger extends AbstractPostgresLedger {
    PostgresReadOnlyLedger(PostgresConnector postgresConnector, PostgresOptions options) {
        super(postgresConnector, options);
    }

    /** Opens a database that already contains a ledger. */
    public static PostgresOpenResult<PostgresReadOnlyLedger> open(PostgresOptions options) {
        return PostgresLedgerOpener.openReadOnly(options, PostgresMigrations.ALL);
    }
}
