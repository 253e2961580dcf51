package dev.gavel.app.ledger;

import dev.gavel.app.config.LedgerConfig;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.postgres.PostgresLedger;
import dev.gavel.ledger.postgres.PostgresOpenResult;
import dev.gavel.ledger.postgres.PostgresOptions;
import dev.gavel.ledger.postgres.PostgresReadOnlyLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An open PostgreSQL ledger, kept in its own class so that the database driver is loaded only when PostgreSQL is used.
 * Thread-safe.
 */
final class PostgresLedgerHandle implements LedgerHandle {
    private final PostgresOptions options;
    private final PostgresLedger ledger;
    private final LeaseService leaseService;

    private PostgresLedgerHandle(PostgresOptions options, PostgresLedger ledger) {
        this.options = options;
        this.ledger = ledger;
        this.leaseService = ledger.leases();
    }

    static LedgerHandle open(LedgerConfig.Postgres ledgerConfig, boolean shared) throws IOException {
        PostgresOptions options = options(ledgerConfig, shared);
        return switch (PostgresLedger.open(options)) {
            case PostgresOpenResult.Refused<PostgresLedger>(String reason) -> throw new IOException(reason);
            case PostgresOpenResult.Opened<PostgresLedger>(PostgresLedger ledger) ->
                new PostgresLedgerHandle(options, ledger);
        };
    }

    static ReadableLedger openReadOnly(LedgerConfig.Postgres ledgerConfig) throws IOException {
        return switch (PostgresReadOnlyLedger.open(options(ledgerConfig, true))) {
            case PostgresOpenResult.Refused<PostgresReadOnlyLedger>(String reason) -> throw new IOException(reason);
            case PostgresOpenResult.Opened<PostgresReadOnlyLedger>(PostgresReadOnlyLedger view) -> view;
        };
    }

    private static PostgresOptions options(LedgerConfig.Postgres ledgerConfig, boolean shared) {
        return PostgresOptions.of(
                ledgerConfig.url(),
                ledgerConfig.user(),
                ledgerConfig.password(),
                shared ? PostgresOptions.Use.SHARED : PostgresOptions.Use.EXCLUSIVE);
    }

    @Override
    public LedgerStore store() {
        return ledger;
    }

    @Override
    public LeaseService leases() {
        return leaseService;
    }

    @Override
    public boolean isShared() {
        return options.use() == PostgresOptions.Use.SHARED;
    }

    @Override
    public String location() {
        return "PostgreSQL, " + options.displayAddress();
    }

    @Override
    public Optional<Path> file() {
        return Optional.empty();
    }

    @Override
    public long sizeInBytes() {
        return ledger.tableBytes();
    }

    @Override
    public byte[] sharedSecret(String name) {
        return ledger.sharedSecret(name);
    }

    @Override
    public void close() {
        try {
            leaseService.close();
        } finally {
            // Otherwise the next server would find this one still registered.
            ledger.close();
        }
    }
}
