package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.OwnerOnlyDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

/** Opens SQLite files as ledgers, for writing or read-only, or explains why that is not possible. */
final class SqliteLedgerOpener {
    private SqliteLedgerOpener() {}

    static SqliteOpenResult open(Path file, SqliteOptions options, SqliteMigrations migrations) {
        try {
            OwnerOnlyDirectory.create(
                    Objects.requireNonNull(file.toAbsolutePath().getParent()));
            Optional<LedgerFileLock> lock = LedgerFileLock.tryAcquire(file);
            if (lock.isEmpty()) {
                return new SqliteOpenResult.Refused(
                        "The ledger %s is in use by another process. Stop that process, or use another data directory."
                                .formatted(file));
            }
            SqliteOpenResult sqliteOpenResult = open(file, options, migrations, lock.get());
            if (sqliteOpenResult instanceof SqliteOpenResult.Refused) {
                lock.get().close();
            }
            return sqliteOpenResult;
        } catch (IOException e) {
            return new SqliteOpenResult.Refused("The ledger %s cannot be opened: %s".formatted(file, e));
        }
    }

    private static SqliteOpenResult open(
            Path file, SqliteOptions options, SqliteMigrations migrations, LedgerFileLock lock) throws IOException {
        OwnerOnlyFiles.create(file);
        try {
            // A foreign file, or one of another version, must not be changed: this session does not set a journal mode.
            try (SqliteSession readSession = SqliteSession.forReading(file, options)) {
                Optional<String> refusal = refusalReason(file, readSession, migrations);
                if (refusal.isPresent()) {
                    return new SqliteOpenResult.Refused(refusal.get());
                }
            }
            SqliteSession session = SqliteSession.forWriting(file, options);
            try {
                migrations.apply(session);
            } catch (SQLException e) {
                session.close();
                throw e;
            }
            return new SqliteOpenResult.Opened(new SqliteLedger(file, options, lock, session));
        } catch (SQLException e) {
            return new SqliteOpenResult.Refused(openFailure(file, e));
        }
    }

    /**
     * Opens a file while another process may write it. Creates neither the file nor a lock, and sets no journal mode.
     */
    static SqliteReadOnlyOpenResult openReadOnly(Path file, SqliteOptions options, SqliteMigrations migrations) {
        if (!Files.exists(file)) {
            return new SqliteReadOnlyOpenResult.Refused("The ledger %s does not exist.".formatted(file));
        }
        try (SqliteSession readSession = SqliteSession.forReading(file, options)) {
            Optional<String> refusal = refusalReason(file, readSession, migrations);
            if (refusal.isEmpty()
                    && migrations.version(readSession) < migrations.steps().size()) {
                refusal = Optional.of(
                        "The ledger %s is empty or was written by an older version of Gavel. Start the server with it once."
                                .formatted(file));
            }
            return refusal.<SqliteReadOnlyOpenResult>map(SqliteReadOnlyOpenResult.Refused::new)
                    .orElseGet(() -> new SqliteReadOnlyOpenResult.Opened(new SqliteReadOnlyLedger(file, options)));
        } catch (SQLException e) {
            return new SqliteReadOnlyOpenResult.Refused(openFailure(file, e));
        }
    }

    private static String openFailure(Path file, SQLException e) {
        return "The ledger %s cannot be opened: %s".formatted(file, e.getMessage());
    }

    private static Optional<String> refusalReason(Path file, SqliteSession session, SqliteMigrations migrations)
            throws SQLException {
        return switch (migrations.inspect(session)) {
            case KNOWN -> Optional.empty();
            case FOREIGN ->
                Optional.of("%s is a database, but not a Gavel ledger. Use another data directory.".formatted(file));
            case NEWER ->
                Optional.of(
                        "The ledger %s was written by a newer version of Gavel (schema %d; this version supports up to %d). Use the newer version, or restore an earlier backup."
                                .formatted(
                                        file,
                                        migrations.version(session),
                                        migrations.steps().size()));
        };
    }
}
