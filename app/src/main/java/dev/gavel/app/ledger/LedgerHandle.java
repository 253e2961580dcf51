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
    /** Opens the one a server is to write to; the reason of a failure says what to do. */
    static LedgerHandle open(ServerConfig config) throws IOException {
        return switch (config.ledger()) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.open(config.ledgerFile());
            case LedgerConfig.Postgres place ->
                PostgresLedgerHandle.open(place, config.bus() instanceof BusConfig.Nats);
        };
    }

    /** Opens one for a while, when no server uses it. */
    static LedgerHandle openExclusive(LedgerConfig place, Path file) throws IOException {
        return switch (place) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.open(file);
            case LedgerConfig.Postgres database -> PostgresLedgerHandle.open(database, false);
        };
    }

    /** Opens one for reading alone, beside those who write. */
    static ReadableLedger openReadOnly(LedgerConfig place, Path file) throws IOException {
        return switch (place) {
            case LedgerConfig.Sqlite() -> SqliteLedgerHandle.openReadOnly(file);
            case LedgerConfig.Postgres database -> PostgresLedgerHandle.openReadOnly(database);
        };
    }

    LedgerStore store();

    /** Who of the processes that share it does what only one may do. */
    LeaseService leases();

    /** Whether other processes may use it at the same time. */
    boolean isShared();

    /** Where it is, in words for people; nothing secret. */
    String location();

    /** The file it is in, where it is in one. */
    Optional<Path> file();

    /** How large it is. */
    long sizeInBytes();

    /** 32 bytes that nobody can guess: the same in all processes that share the ledger, as long as there are several. */
    byte[] sharedSecret(String name);

    /** Ends it; what is kept stays. */
    @Override
    void close();
}
