package dev.gavel.ledger.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema of a SQLite ledger file up to date in one transaction and detects foreign or newer files. The file
 * records the schema version in {@code user_version} and marks itself as Gavel's in {@code application_id}; both change
 * in the same transaction as the schema.
 */
record SqliteMigrations(List<Step> steps) {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteMigrations.class);

    /** "GAVL" in ASCII. */
    private static final int APPLICATION = 0x4741564c;

    static final SqliteMigrations ALL = new SqliteMigrations(List.of(
            sql(script("001-events.sql")),
            sql(script("002-chain.sql")).then(HashChainBackfill::backfill),
            sql(script("003-usage.sql"))));

    /** Migrates the schema from one version to the next, within a transaction that the caller begins and ends. */
    @FunctionalInterface
    interface Step {
        void apply(SqliteSession session) throws SQLException;

        default Step then(Step next) {
            return session -> {
                apply(session);
                next.apply(session);
            };
        }
    }

    static Step sql(String script) {
        return session -> session.execute(script);
    }

    /** The state of a file's schema before migration. */
    enum Schema {
        KNOWN,
        NEWER,
        FOREIGN
    }

    /** Inspects the file without changing it. */
    Schema inspect(SqliteSession session) throws SQLException {
        long application = session.queryLong("PRAGMA application_id");
        long tables = session.queryLong("SELECT count(*) FROM sqlite_schema");
        if (application != APPLICATION && (application != 0 || tables > 0)) {
            return Schema.FOREIGN;
        }
        return version(session) > steps.size() ? Schema.NEWER : Schema.KNOWN;
    }

    long version(SqliteSession session) throws SQLException {
        return session.queryLong("PRAGMA user_version");
    }

    /** Applies the missing steps: all of them, or none if one fails. */
    void apply(SqliteSession session) throws SQLException {
        int version = (int) version(session);
        if (version == steps.size()) {
            return;
        }
        session.execute("BEGIN IMMEDIATE");
        try {
            for (Step step : steps.subList(version, steps.size())) {
                step.apply(session);
            }
            session.execute("PRAGMA application_id = " + APPLICATION);
            session.execute("PRAGMA user_version = " + steps.size());
            session.execute("COMMIT");
        } catch (SQLException e) {
            session.rollback();
            throw e;
        }
        // Logged for an operator who may want to downgrade; a newly created file is not logged.
        if (version > 0) {
            LOG.info("The ledger's schema was upgraded from version {} to {}.", version, steps.size());
        }
    }

    private static String script(String name) {
        try (InputStream file = SqliteMigrations.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("a resource is missing from the program: " + name);
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
