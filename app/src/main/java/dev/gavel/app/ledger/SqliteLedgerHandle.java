package dev.gavel.app.ledger;

import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.ReadableLedger;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.lease.SingleProcessLeaseService;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.sqlite.SqliteReadOnlyLedger;
import dev.gavel.ledger.sqlite.SqliteReadOnlyOpenResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An open ledger in a SQLite file; only this process uses the file, so leases and secrets are kept in memory.
 * Thread-safe.
 */
final class SqliteLedgerHandle implements LedgerHandle {
    private static final int SECRET_BYTES = 32;

    private final Path file;
    private final SqliteLedger ledger;
    private final LeaseService leaseService = new SingleProcessLeaseService();
    private final Map<String, byte[]> secrets = new ConcurrentHashMap<>();

    private SqliteLedgerHandle(Path file, SqliteLedger ledger) {
        this.file = file;
        this.ledger = ledger;
    }

    static LedgerHandle open(Path file) throws IOException {
        return switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Refused(String reason) -> throw new IOException(reason);
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> new SqliteLedgerHandle(file, ledger);
        };
    }

    static ReadableLedger openReadOnly(Path file) throws IOException {
        return switch (SqliteReadOnlyLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteReadOnlyOpenResult.Refused(String reason) -> throw new IOException(reason);
            case SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view) -> view;
        };
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
        return false;
    }

    @Override
    public String location() {
        return file.toString();
    }

    @Override
    public Optional<Path> file() {
        return Optional.of(file);
    }

    @Override
    public long sizeInBytes() {
        return size(file) + size(file.resolveSibling(file.getFileName() + "-wal"));
    }

    private static long size(Path of) {
        try {
            return Files.exists(of) ? Files.size(of) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a secret that lasts as long as this process: no other process shares the ledger. */
    @Override
    public byte[] sharedSecret(String name) {
        return secrets.computeIfAbsent(name, key -> {
                    byte[] secret = new byte[SECRET_BYTES];
                    new SecureRandom().nextBytes(secret);
                    return secret;
                })
                .clone();
    }

    @Override
    public void close() {
        leaseService.close();
        ledger.close();
    }
}
