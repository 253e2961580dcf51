package dev.gavel.ledger.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema of a PostgreSQL ledger up to date under a lock and detects foreign or newer schemas. Of several
 * processes that start at once one does it, and the others wait and find it done: the version is looked at under a
 * lock. A table says which scripts were run, and that the schema is ours.
 */
record PostgresMigrations(List<String> scripts) {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMigrations.class);

    static final PostgresMigrations ALL = new PostgresMigrations(List.of(script("001-ledger.sql")));

    /**
     * Whether the schema is ours, and how many tables it has that no extension brought. One question: between two, another
     * process that starts as well may have made all of them.
     */
    private static final String TABLES = """
            SELECT count(*) FILTER (WHERE c.relname = 'gavel_schema' AND c.relkind = 'r'), count(*)
            FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                AND NOT EXISTS (SELECT 1 FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            """;

    private static final String CREATE_VERSION_TABLE = """
            CREATE TABLE IF NOT EXISTS gavel_schema (
                version integer PRIMARY KEY,
                at timestamptz NOT NULL DEFAULT now()
            )
            """;

    /** What a schema is like before anything is done to it. */
    enum Schema {
        KNOWN,
        NEWER,
        FOREIGN,
        MISSING
    }

    /** Looks without changing anything. */
    Schema inspect(PostgresSession session) throws SQLException {
        if (session.first("SELECT current_schema()", row -> row.getString(1) == null)
                .orElse(true)) {
            return Schema.MISSING;
        }
        Tables tables = tables(session);
        if (!tables.ours) {
            return tables.count > 0 ? Schema.FOREIGN : Schema.KNOWN;
        }
        return version(session) > scripts.size() ? Schema.NEWER : Schema.KNOWN;
    }

    private static Tables tables(PostgresSession session) throws SQLException {
        return session.first(TABLES, row -> new Tables(row.getLong(1) > 0, row.getLong(2)))
                .orElseThrow();
    }

    private record Tables(boolean ours, long count) {}

    long version(PostgresSession session) throws SQLException {
        return tables(session).ours ? session.queryLong("SELECT max(version) FROM gavel_schema") : 0;
    }

    /** Applies what is missing. */
    void apply(PostgresSession session) throws SQLException {
        while (version(session) < scripts.size()) {
            applyNext(session);
        }
    }

    private void applyNext(PostgresSession session) throws SQLException {
        session.begin();
        int version;
        try {
            session.execute(AdvisoryLock.SCHEMA.lockForTransaction());
            version = (int) version(session);
            if (version < scripts.size()) {
                session.execute(CREATE_VERSION_TABLE);
                session.execute(scripts.get(version));
                session.update("INSERT INTO gavel_schema (version) VALUES (?)", version + 1);
            }
            session.commit();
        } catch (SQLException e) {
            session.rollback();
            throw e;
        }
        // Whoever goes back to the version before has to know; tables that were only made are no news.
        if (version > 0 && version < scripts.size()) {
            LOG.info("The ledger's schema was brought from version {} to {}.", version, version + 1);
        }
    }

    private static String script(String name) {
        try (InputStream file = PostgresMigrations.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("missing from the program: " + name);
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
