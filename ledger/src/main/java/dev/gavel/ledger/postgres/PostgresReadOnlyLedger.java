package dev.gavel.ledger.postgres;

/** Opens a PostgreSQL ledger for reading only, while other processes may be writing to it. Thread-safe. */
public final class PostgresReadOnlyLedger extends AbstractPostgresLedger {
    PostgresReadOnlyLedger(PostgresConnector postgresConnector, PostgresOptions options) {
        super(postgresConnector, options);
    }

    /** Opens a database that already contains a ledger. */
    public static PostgresOpenResult<PostgresReadOnlyLedger> open(PostgresOptions options) {
        return PostgresLedgerOpener.openReadOnly(options, PostgresMigrations.ALL);
    }
}
