package dev.gavel.bench.suite;

import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Generates a SQLite ledger file with millions of proposal events by plain SQL, which is much faster than through a
 * server. The contents and hashes of the rows are made up; their number, length and distribution are realistic.
 * Stateless.
 */
final class LedgerFileGenerator {
    private static final int EVENTS_A_PROPOSAL = 3;
    private static final long STARTED = 1_700_000_000_000_000L;
    private static final int CACHE_KIB = 1_000_000;

    /** The average length of the JSON of an event, and of a proposal's summary. */
    private static final int EVENT_BYTES = 420;

    private static final int SUMMARY_BYTES = 200;

    /** Ids are spread evenly over the whole range, so that later random ones fall between them. */
    private static final String ID = "printf('%016x', i * (9223372036854775807 / {proposals}))";

    private static final String FILL = """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -{cache};
            BEGIN;
            INSERT INTO stream (id, name, last_seq, head) VALUES (1, '{topic}', {events}, randomblob(32));
            WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {proposals})
            INSERT INTO subject (id, stream, name) SELECT i, 1, {id} FROM numbers;
            WITH RECURSIVE numbers(i, step) AS (
                SELECT 1, 0 UNION ALL SELECT i + (step = 2), (step + 1) % 3 FROM numbers WHERE i * 3 + step < {events} + 2)
            INSERT INTO event (stream, seq, at, subject, type, actor, reference, body, digest, hash)
            SELECT 1, i * 3 + step - 2, {started} + i * 3000 + step, i,
                CASE step WHEN 0 THEN 'proposed' WHEN 1 THEN 'fulfilled' ELSE 'answered' END,
                CASE step WHEN 0 THEN 'p0' WHEN 1 THEN 'reviewer' ELSE 'server' END,
                {id} || CASE step WHEN 0 THEN '' WHEN 1 THEN 'f' ELSE 'fa' END,
                CAST('{event}' AS BLOB), zeroblob(32), zeroblob(32)
            FROM numbers;
            INSERT INTO summary (subject, stream, state, open, owner, due_at, started_at, ended_at, last_seq, body)
            SELECT id, 1, 'succeeded', 0, 'p0', NULL, {started} + id * 3000, {started} + id * 3000 + 2, id * 3,
                CAST('{summary}' AS BLOB)
            FROM subject;
            COMMIT;
            """;

    private LedgerFileGenerator() {}

    /** Creates a ledger with this many events, a multiple of three, in a new data directory. */
    static void generate(Path data, String topic, int events) throws IOException {
        Path file = Files.createDirectories(data).resolve("ledger.db");
        switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger opened) -> opened.close();
            case SqliteOpenResult.Refused(String reason) -> throw new IOException(reason);
        }
        String sql = FILL.replace("{id}", ID)
                .replace("{cache}", Integer.toString(CACHE_KIB))
                .replace("{topic}", topic)
                .replace("{events}", Integer.toString(events))
                .replace("{proposals}", Integer.toString(events / EVENTS_A_PROPOSAL))
                .replace("{started}", Long.toString(STARTED))
                .replace("{event}", filler(EVENT_BYTES))
                .replace("{summary}", filler(SUMMARY_BYTES));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IOException("cannot create a ledger of " + events + " events: " + e.getMessage(), e);
        }
    }

    private static String filler(int length) {
        return "{\"text\":\"" + String.format(Locale.ROOT, "%" + (length - 11) + "s", "") + "\"}";
    }
}
