package dev.gavel.ledger.postgres;

import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.util.Optional;

/** Opens ledgers in databases of the PostgreSQL test server. */
public final class TestPostgresLedgers {
    private TestPostgresLedgers() {}

    /** Opens a ledger that other processes may use as well. */
    public static PostgresLedger shared(String url) {
        return open(options(url, Use.SHARED));
    }

    public static PostgresLedger open(PostgresOptions options) {
        return switch (PostgresLedger.open(options)) {
            case PostgresOpenResult.Opened<PostgresLedger>(PostgresLedger ledger) -> ledger;
            case PostgresOpenResult.Refused<PostgresLedger>(String reason) -> throw new AssertionError(reason);
        };
    }

    static PostgresOptions options(String url, Use use) {
        return PostgresOptions.of(url, Optional.empty(), Optional.empty(), use);
    }
}
