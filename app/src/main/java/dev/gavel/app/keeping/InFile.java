package dev.gavel.app.keeping;

import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.LedgerView;
import dev.gavel.ledger.lease.Alone;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.sqlite.SqliteView;
import dev.gavel.ledger.sqlite.Viewing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A ledger in a file, which belongs to one process. Thread-safe. */
final class InFile implements Keeping {
    private static final int SECRET_BYTES = 32;

    private final Path file;
    private final SqliteLedger ledger;
    private final Leases leases = new Alone();
    private final Map<String, byte[]> secrets = new ConcurrentHashMap<>();

    private InFile(Path file, SqliteLedger ledger) {
        this.file = file;
        this.ledger = ledger;
    }

    static Keeping open(Path file) throws IOException {
        return switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case Opening.Refused(String reason) -> throw new IOException(reason);
            case Opening.Opened(SqliteLedger ledger) -> new InFile(file, ledger);
        };
    }

    static LedgerView view(Path file) throws IOException {
        return switch (SqliteView.open(file, SqliteOptions.DEFAULT)) {
            case Viewing.Refused(String reason) -> throw new IOException(reason);
            case Viewing.Opened(SqliteView view) -> view;
        };
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
        return false;
    }

    @Override
    public String place() {
        return file.toString();
    }

    @Override
    public Optional<Path> file() {
        return Optional.of(file);
    }

    @Override
    public long bytes() {
        return size(file) + size(file.resolveSibling(file.getFileName() + "-wal"));
    }

    private static long size(Path of) {
        try {
            return Files.exists(of) ? Files.size(of) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody shares it, so it is made anew with each process. */
    @Override
    public byte[] secret(String name) {
        return secrets.computeIfAbsent(name, key -> {
                    byte[] made = new byte[SECRET_BYTES];
                    new SecureRandom().nextBytes(made);
                    return made;
                })
                .clone();
    }

    @Override
    public void close() {
        leases.close();
        ledger.close();
    }
}
