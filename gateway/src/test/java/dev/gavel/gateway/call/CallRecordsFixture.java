package dev.gavel.gateway.call;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A SQLite ledger with a writer, for tests of call records. Its clock is set by hand. */
final class CallRecordsFixture implements AutoCloseable {
    static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

    private final Path file;
    final SqliteLedger ledger;
    final LedgerWriter writer;
    volatile Instant now = START;

    CallRecordsFixture(Path directory) {
        this.file = directory.resolve("ledger.db");
        this.ledger = ((SqliteOpenResult.Opened) SqliteLedger.open(file, SqliteOptions.DEFAULT)).ledger();
        this.writer = new LedgerWriter(ledger, clock(), WriterOptions.DEFAULT);
    }

    InstantSource clock() {
        return () -> now;
    }

    /** Writes records as one gateway, and stops it. */
    void write(String gateway, CallRecord... records) {
        try (CallAuditLog log = new CallAuditLog(writer, clock(), gateway)) {
            CallRecordAppender appender = log.appender("ops");
            for (CallRecord each : records) {
                appender.append(each.at(), 0, () -> each);
            }
        }
    }

    static CallRecord.Called called(Instant at, String id) {
        return new CallRecord.Called(at, id, "alice", List.of("files"), "tools/call", "read", "d", 10, null);
    }

    static CallRecord.Answered answered(Instant at, String id, String by, CallOutcome outcome) {
        return new CallRecord.Answered(at, id, "alice", by, outcome, 5L, null);
    }

    CallPage page(@Nullable String cursor, int limit) {
        return new CallRecordReader(ledger, "ops")
                .page(CallQuery.ALL, Optional.ofNullable(cursor), limit)
                .orElseThrow();
    }

    List<String> ids() {
        return page(null, 500).calls().stream().map(call -> call.called().id()).toList();
    }

    List<String> eventTypes() {
        List<String> types = new ArrayList<>();
        ledger.export(each -> {
            LedgerEvent event = each.event();
            types.add(event.type());
        });
        return types;
    }

    /** Makes all writes fail, until {@link #allowWrites}. */
    void forbidWrites() throws SQLException {
        execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT raise(ABORT, 'no room'); END");
    }

    void allowWrites() throws SQLException {
        execute("DROP TRIGGER full");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 10000");
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        writer.close();
        ledger.close();
    }
}
