package dev.gavel.ledger.postgres;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Opens PostgreSQL databases as ledgers, for writing or read-only, or explains why that is not possible. The messages
 * name the database without the secret parts of its URL.
 */
final class PostgresLedgerOpener {
    private PostgresLedgerOpener() {}

    static PostgresOpenResult<PostgresLedger> open(PostgresOptions options, PostgresMigrations migrations) {
        PostgresConnector postgresConnector = new PostgresConnector(options);
        Optional<String> problem = postgresConnector.urlProblem();
        if (problem.isPresent()) {
            return new PostgresOpenResult.Refused<>(problem.get());
        }
        try (PostgresSession session = new PostgresSession(postgresConnector.connectForMaintenance())) {
            Optional<String> refusal = refusalReason(options, session, migrations);
            if (refusal.isPresent()) {
                return new PostgresOpenResult.Refused<>(refusal.get());
            }
            Optional<PostgresInUseLock> postgresInUseLock = PostgresInUseLock.acquire(postgresConnector, options);
            if (postgresInUseLock.isEmpty()) {
                return new PostgresOpenResult.Refused<>(
                        switch (options.use()) {
                            case EXCLUSIVE ->
                                "Another gateway uses the ledger %s. Set 'bus: nats://…' in both, so that they hear of each other, or stop that one."
                                        .formatted(options.displayAddress());
                            case SHARED ->
                                "A gateway without a bus uses the ledger %s, alone. Set 'bus: nats://…' there too, or stop it."
                                        .formatted(options.displayAddress());
                        });
            }
            try {
                migrations.apply(session);
            } catch (SQLException e) {
                postgresInUseLock.get().close();
                throw e;
            }
            return new PostgresOpenResult.Opened<>(
                    new PostgresLedger(postgresConnector, options, postgresInUseLock.get()));
        } catch (SQLException e) {
            return new PostgresOpenResult.Refused<>(openFailure(options, e));
        }
    }

    /** Opens a ledger while other processes may write it. Creates nothing and takes no lock. */
    static PostgresOpenResult<PostgresReadOnlyLedger> openReadOnly(
            PostgresOptions options, PostgresMigrations migrations) {
        PostgresConnector postgresConnector = new PostgresConnector(options);
        Optional<String> problem = postgresConnector.urlProblem();
        if (problem.isPresent()) {
            return new PostgresOpenResult.Refused<>(problem.get());
        }
        try (PostgresSession session = new PostgresSession(postgresConnector.connectForQueries())) {
            Optional<String> refusal = refusalReason(options, session, migrations);
            if (refusal.isEmpty()
                    && migrations.version(session) < migrations.scripts().size()) {
                refusal = Optional.of(
                        "The ledger %s is of an older Gavel, or was never written. Start a server on it once."
                                .formatted(options.displayAddress()));
            }
            return refusal.<PostgresOpenResult<PostgresReadOnlyLedger>>map(PostgresOpenResult.Refused::new)
                    .orElseGet(() ->
                            new PostgresOpenResult.Opened<>(new PostgresReadOnlyLedger(postgresConnector, options)));
        } catch (SQLException e) {
            return new PostgresOpenResult.Refused<>(openFailure(options, e));
        }
    }

    private static String openFailure(PostgresOptions options, SQLException e) {
        return "The ledger %s cannot be opened: %s".formatted(options.displayAddress(), e.getMessage());
    }

    private static Optional<String> refusalReason(
            PostgresOptions options, PostgresSession session, PostgresMigrations migrations) throws SQLException {
        return switch (migrations.inspect(session)) {
            case KNOWN -> Optional.empty();
            case MISSING ->
                Optional.of(
                        "In the database %s there is no schema to keep the ledger in. Create the one that the address names with currentSchema, or grant the user CREATE on the schema public."
                                .formatted(options.displayAddress()));
            case FOREIGN ->
                Optional.of(
                        "The database %s has tables, but no ledger of Gavel's. Use another database, or a schema of its own (currentSchema=… in the address)."
                                .formatted(options.displayAddress()));
            case NEWER ->
                Optional.of(
                        "The ledger %s was written by a newer Gavel (its schema is %d, this one knows up to %d). Use that version, or restore a back-up made before."
                                .formatted(
                                        options.displayAddress(),
                                        migrations.version(session),
                                        migrations.scripts().size()));
        };
    }
}
