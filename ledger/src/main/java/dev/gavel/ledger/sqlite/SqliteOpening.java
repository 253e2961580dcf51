package dev.gavel.ledger.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** Opens files as ledgers, or says why not. */
final class SqliteOpening {
    private SqliteOpening() {}

    static Opening open(Path file, SqliteOptions options, Migrations migrations) {
        try {
            Files.createDirectories(file.getParent());
            Optional<FileLock> lock = FileLock.take(file);
            if (lock.isEmpty()) {
                return new Opening.Refused(
                        "The ledger %s is in use by another process. Stop that one first, or use another data directory."
                                .formatted(file));
            }
            Opening opening = open(file, options, migrations, lock.get());
            if (opening instanceof Opening.Refused) {
                lock.get().close();
            }
            return opening;
        } catch (IOException e) {
            return new Opening.Refused("The ledger %s cannot be opened: %s".formatted(file, e));
        }
    }

    private static Opening open(Path file, SqliteOptions options, Migrations migrations, FileLock lock)
            throws IOException {
        OwnerOnly.create(file);
        try {
            // A file that is not ours, or of another version, is left as it is: no journal mode is set on it.
            try (Session looking = Session.forReading(file, options)) {
                Optional<String> refusal = refusal(file, looking, migrations);
                if (refusal.isPresent()) {
                    return new Opening.Refused(refusal.get());
                }
            }
            Session session = Session.forWriting(file, options);
            try {
                migrations.apply(session);
            } catch (SQLException e) {
                session.close();
                throw e;
            }
            return new Opening.Opened(new SqliteLedger(file, options, lock, session));
        } catch (SQLException e) {
            return new Opening.Refused(unopened(file, e));
        }
    }

    /** Opens a file beside its writer: neither the file nor a lock is made, and no journal mode set. */
    static Viewing view(Path file, SqliteOptions options, Migrations migrations) {
        if (!Files.exists(file)) {
            return new Viewing.Refused("There is no ledger %s.".formatted(file));
        }
        try (Session looking = Session.forReading(file, options)) {
            Optional<String> refusal = refusal(file, looking, migrations);
            if (refusal.isEmpty()
                    && migrations.version(looking) < migrations.steps().size()) {
                refusal = Optional.of(
                        "The ledger %s is of an older Gavel, or was never written. Start the server on it once."
                                .formatted(file));
            }
            return refusal.<Viewing>map(Viewing.Refused::new)
                    .orElseGet(() -> new Viewing.Opened(new SqliteView(file, options)));
        } catch (SQLException e) {
            return new Viewing.Refused(unopened(file, e));
        }
    }

    private static String unopened(Path file, SQLException e) {
        return "The ledger %s cannot be opened: %s".formatted(file, e.getMessage());
    }

    private static Optional<String> refusal(Path file, Session session, Migrations migrations) throws SQLException {
        return switch (migrations.look(session)) {
            case KNOWN -> Optional.empty();
            case FOREIGN ->
                Optional.of("%s is a database, but no ledger of Gavel's. Use another data directory.".formatted(file));
            case NEWER ->
                Optional.of(
                        "The ledger %s was written by a newer Gavel (its schema is %d, this one knows up to %d). Use that version, or restore a back-up made before."
                                .formatted(
                                        file,
                                        migrations.version(session),
                                        migrations.steps().size()));
        };
    }
}
