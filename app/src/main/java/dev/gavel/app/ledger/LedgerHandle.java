package dev.gavel.app.ledger;

import dev.gavel.app.config.BusConfig;
import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.lease.LeaseService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** An open ledger database, SQLite or PostgreSQL, with its store, leases, location and shared secrets. Thread-safe. */
public interface LedgerHandle extends AutoCloseable {
    /** Opens the ledger for a server that writes to it. The message of a failure says what to do. */
    static LedgerHandle open(ServerConfig config) throws IOException {
        return switch (config.ledger()) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.open(config.ledgerFile());
            case LedgerConfig.Postgres ledgerConfig ->
                PostgresLedgerHandle.open(ledgerConfig, config.bus() instanceof BusConfig.Nats);
        };
    }

    /** Opens the ledger for a short time, while no server uses it. */
    static LedgerHandle openExclusive(LedgerConfig ledgerConfig, Path file) throws IOException {
        return switch (ledgerConfig) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.open(file);
            case LedgerConfig.Postgres database -> PostgresLedgerHandle.open(database, false);
        };
    }

    /** Opens the ledger for reading only; servers may write to it. */
    static ReadableLedger openReadOnly(LedgerConfig ledgerConfig, Path file) throws IOException {
        return switch (ledgerConfig) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.openReadOnly(file);
            case LedgerConfig.Postgres database -> PostgresLedgerHandle.openReadOnly(database);
        };
    }

    LedgerStore store();

    /** The leases that decide which of the processes sharing the ledger runs a task that only one may run. */
    LeaseService leases();

    /** Whether other processes may use the ledger at the same time. */
    boolean isShared();

    /** The location in words for people, without secrets. */
    String location();

    /** The SQLite file, if the ledger is in one. */
    Optional<Path> file();

    long sizeInBytes();

    /**
     * 32 random bytes, the same in all processes that share the ledger, as long as more than one process may use it.
     */
    byte[] sharedSecret(String name);

    /** Closes the ledger; its contents are unaffected. */
    @Override
    void close();
}
