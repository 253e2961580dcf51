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
 * Brings the schema of a PostgreSQL ledger up to date under a lock and detects foreign or newer schemas. If several
 * processes start at once, one applies the scripts; the others wait for the lock, read the version under it and find
 * nothing to do. A table records which scripts were applied, and marks the schema as Gavel's.
 */
record PostgresMigrations(List<String> scripts) {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMigrations.class);

    static final PostgresMigrations ALL =
            new PostgresMigrations(List.of(script("001-ledger.sql"), script("002-usage.sql")));

    /**
     * Counts the tables of the schema that do not belong to an extension, and whether Gavel's version table is among
     * them. It is one query because, between two, another starting process could create all tables.
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

    /** The state of a schema before migration. */
    enum Schema {
        KNOWN,
        NEWER,
        FOREIGN,
        MISSING
    }

    /** Inspects the schema without changing it. */
    Schema inspect(PostgresSession session) throws SQLException {
        if (session.first("SELECT current_schema()", row -> row.getString(1) == null)
                .orElse(true)) {
            return Schema.MISSING;
        }
        Tables tables = tables(session);
        if (!tables.hasVersionTable) {
            return tables.count > 0 ? Schema.FOREIGN : Schema.KNOWN;
        }
        return version(session) > scripts.size() ? Schema.NEWER : Schema.KNOWN;
    }

    private static Tables tables(PostgresSession session) throws SQLException {
        return session.first(TABLES, row -> new Tables(row.getLong(1) > 0, row.getLong(2)))
                .orElseThrow();
    }

    private record Tables(boolean hasVersionTable, long count) {}

    long version(PostgresSession session) throws SQLException {
        return tables(session).hasVersionTable ? session.queryLong("SELECT max(version) FROM gavel_schema") : 0;
    }

    /** Applies the missing scripts. */
    void apply(PostgresSession session) throws SQLException {
        while (version(session) < scripts.size()) {
            applyNext(session);
        }
    }

    private void applyNext(PostgresSession session) throws SQLException {
        session.begin();
        int version;
        try {
            session.execute(AdvisoryLockSql.SCHEMA.lockForTransaction());
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
        // Logged for an operator who may want to downgrade; newly created tables are not logged.
        if (version > 0 && version < scripts.size()) {
            LOG.info("The ledger's schema was upgraded from version {} to {}.", version, version + 1);
        }
    }

    private static String script(String name) {
        try (InputStream file = PostgresMigrations.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("a resource is missing from the program: " + name);
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
