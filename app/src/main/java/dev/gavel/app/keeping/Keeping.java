package dev.gavel.app.keeping;

import dev.gavel.app.config.BusPlace;
import dev.gavel.app.config.Config;
import dev.gavel.app.config.LedgerPlace;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.lease.Leases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A ledger that is open, whatever database keeps it. Thread-safe. */
public interface Keeping extends AutoCloseable {
    /** Opens the one a server is to write to; the reason of a failure says what to do. */
    static Keeping open(Config config) throws IOException {
        return switch (config.ledger()) {
            case LedgerPlace.Sqlite() -> InFile.open(config.ledgerFile());
            case LedgerPlace.Postgres place -> InDatabase.open(place, config.bus() instanceof BusPlace.Nats);
        };
    }

    /** Opens one for a while, when no server uses it. */
    static Keeping openAlone(LedgerPlace place, Path file) throws IOException {
        return switch (place) {
            case LedgerPlace.Sqlite() -> InFile.open(file);
            case LedgerPlace.Postgres database -> InDatabase.open(database, false);
        };
    }

    /** Opens one for reading alone, beside those who write. */
    static LedgerView view(LedgerPlace place, Path file) throws IOException {
        return switch (place) {
            case LedgerPlace.Sqlite() -> InFile.view(file);
            case LedgerPlace.Postgres database -> InDatabase.view(database);
        };
    }

    LedgerStore store();

    /** Who of the processes that share it does what only one may do. */
    Leases leases();

    /** Whether other processes may use it at the same time. */
    boolean shared();

    /** Where it is, in words for people; nothing secret. */
    String place();

    /** The file it is in, where it is in one. */
    Optional<Path> file();

    /** How large it is. */
    long bytes();

    /** 32 bytes that nobody can guess: the same in all processes that share the ledger, as long as there are several. */
    byte[] secret(String name);

    /** Ends it; what is kept stays. */
    @Override
    void close();
}
