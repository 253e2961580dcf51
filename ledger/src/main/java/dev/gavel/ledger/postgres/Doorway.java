package dev.gavel.ledger.postgres;

import java.sql.SQLException;
import java.util.Optional;

/** Opens databases as ledgers, or says why not. Messages name the place without what may be secret in an address. */
final class Doorway {
    private Doorway() {}

    static PostgresOpening<PostgresLedger> open(PostgresOptions options, Migrations migrations) {
        Connecting connecting = new Connecting(options);
        Optional<String> objection = connecting.objection();
        if (objection.isPresent()) {
            return new PostgresOpening.Refused<>(objection.get());
        }
        try (PostgresSession session = new PostgresSession(connecting.patient())) {
            Optional<String> refusal = refusal(options, session, migrations);
            if (refusal.isPresent()) {
                return new PostgresOpening.Refused<>(refusal.get());
            }
            Optional<Presence> presence = Presence.enter(connecting, options);
            if (presence.isEmpty()) {
                return new PostgresOpening.Refused<>(
                        switch (options.use()) {
                            case ALONE ->
                                "Another gateway uses the ledger %s. Set 'bus: nats://…' in both, so that they hear of each other, or stop that one."
                                        .formatted(options.place());
                            case SHARED ->
                                "A gateway without a bus uses the ledger %s, alone. Set 'bus: nats://…' there too, or stop it."
                                        .formatted(options.place());
                        });
            }
            try {
                migrations.apply(session);
            } catch (SQLException e) {
                presence.get().close();
                throw e;
            }
            return new PostgresOpening.Opened<>(new PostgresLedger(connecting, options, presence.get()));
        } catch (SQLException e) {
            return new PostgresOpening.Refused<>(unopened(options, e));
        }
    }

    /** Opens a ledger beside those who write it: nothing is made, and nobody is asked to make room. */
    static PostgresOpening<PostgresView> view(PostgresOptions options, Migrations migrations) {
        Connecting connecting = new Connecting(options);
        Optional<String> objection = connecting.objection();
        if (objection.isPresent()) {
            return new PostgresOpening.Refused<>(objection.get());
        }
        try (PostgresSession session = new PostgresSession(connecting.quick())) {
            Optional<String> refusal = refusal(options, session, migrations);
            if (refusal.isEmpty()
                    && migrations.version(session) < migrations.scripts().size()) {
                refusal = Optional.of(
                        "The ledger %s is of an older Gavel, or was never written. Start a server on it once."
                                .formatted(options.place()));
            }
            return refusal.<PostgresOpening<PostgresView>>map(PostgresOpening.Refused::new)
                    .orElseGet(() -> new PostgresOpening.Opened<>(new PostgresView(connecting, options)));
        } catch (SQLException e) {
            return new PostgresOpening.Refused<>(unopened(options, e));
        }
    }

    private static String unopened(PostgresOptions options, SQLException e) {
        return "The ledger %s cannot be opened: %s".formatted(options.place(), e.getMessage());
    }

    private static Optional<String> refusal(PostgresOptions options, PostgresSession session, Migrations migrations)
            throws SQLException {
        return switch (migrations.look(session)) {
            case KNOWN -> Optional.empty();
            case MISSING ->
                Optional.of(
                        "In the database %s there is no schema to keep the ledger in. Create the one that the address names with currentSchema, or grant the user CREATE on the schema public."
                                .formatted(options.place()));
            case FOREIGN ->
                Optional.of(
                        "The database %s has tables, but no ledger of Gavel's. Use another database, or a schema of its own (currentSchema=… in the address)."
                                .formatted(options.place()));
            case NEWER ->
                Optional.of(
                        "The ledger %s was written by a newer Gavel (its schema is %d, this one knows up to %d). Use that version, or restore a back-up made before."
                                .formatted(
                                        options.place(),
                                        migrations.version(session),
                                        migrations.scripts().size()));
        };
    }
}
