package dev.gavel.app.keeping;

import dev.gavel.app.config.LedgerPlace;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.postgres.PostgresLedger;
import dev.gavel.ledger.postgres.PostgresOpening;
import dev.gavel.ledger.postgres.PostgresOptions;
import dev.gavel.ledger.postgres.PostgresView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A ledger in a PostgreSQL database. Thread-safe. Apart from the rest, so that its classes are loaded where it is used. */
final class InDatabase implements Keeping {
    private final PostgresOptions options;
    private final PostgresLedger ledger;
    private final Leases leases;

    private InDatabase(PostgresOptions options, PostgresLedger ledger) {
        this.options = options;
        this.ledger = ledger;
        this.leases = ledger.leases();
    }

    static Keeping open(LedgerPlace.Postgres place, boolean shared) throws IOException {
        PostgresOptions options = options(place, shared);
        return switch (PostgresLedger.open(options)) {
            case PostgresOpening.Refused<PostgresLedger>(String reason) -> throw new IOException(reason);
            case PostgresOpening.Opened<PostgresLedger>(PostgresLedger ledger) -> new InDatabase(options, ledger);
        };
    }

    static LedgerView view(LedgerPlace.Postgres place) throws IOException {
        return switch (PostgresView.open(options(place, true))) {
            case PostgresOpening.Refused<PostgresView>(String reason) -> throw new IOException(reason);
            case PostgresOpening.Opened<PostgresView>(PostgresView view) -> view;
        };
    }

    private static PostgresOptions options(LedgerPlace.Postgres place, boolean shared) {
        return PostgresOptions.of(
                place.url(),
                place.user(),
                place.password(),
                shared ? PostgresOptions.Use.SHARED : PostgresOptions.Use.ALONE);
    }

    @Override
    public LedgerStore store() {
        return ledger;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public boolean shared() {
        return options.use() == PostgresOptions.Use.SHARED;
    }

    @Override
    public String place() {
        return "PostgreSQL, " + options.place();
    }

    @Override
    public Optional<Path> file() {
        return Optional.empty();
    }

    @Override
    public long bytes() {
        return ledger.bytes();
    }

    @Override
    public byte[] secret(String name) {
        return ledger.secret(name);
    }

    @Override
    public void close() {
        try {
            leases.close();
        } finally {
            // Else the next server would find this one still there.
            ledger.close();
        }
    }
}
