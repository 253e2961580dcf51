package dev.gavel.ledger.postgres;

/** A ledger opened for reading alone, beside whichever processes write it: it changes nothing, and keeps nobody out. Thread-safe. */
public final class PostgresView extends PostgresReading {
    PostgresView(Connecting connecting, PostgresOptions options) {
        super(connecting, options);
    }

    /** Opens a database that has a ledger already. */
    public static PostgresOpening<PostgresView> open(PostgresOptions options) {
        return Doorway.view(options, Migrations.ALL);
    }
}
