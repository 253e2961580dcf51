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
                                "Another gateway is using the ledger %s. Set 'bus: nats://…' in both gateways so that they can notify each other, or stop the other one."
                                        .formatted(options.displayAddress());
                            case SHARED ->
                                "A gateway without a bus is using the ledger %s. Set 'bus: nats://…' in that gateway as well, or stop it."
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
                        "The ledger %s is empty or was written by an older version of Gavel. Start a server with it once."
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
                        "The database %s has no schema for the ledger. Create the schema that the address names with currentSchema, or grant the user CREATE on the schema public."
                                .formatted(options.displayAddress()));
            case FOREIGN ->
                Optional.of(
                        "The database %s has tables, but is not a Gavel ledger. Use another database or a separate schema (currentSchema=… in the address)."
                                .formatted(options.displayAddress()));
            case NEWER ->
                Optional.of(
                        "The ledger %s was written by a newer version of Gavel (schema %d; this version supports up to %d). Use the newer version, or restore an earlier backup."
                                .formatted(
                                        options.displayAddress(),
                                        migrations.version(session),
                                        migrations.scripts().size()));
        };
    }
}
