package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.SampleEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests reading the file beside the store that has it open; {@code ReadOnlyLedgerDuringWritesTest} does the same with
 * another process.
 */
class SqliteReadOnlyLedgerTest {
    @TempDir
    Path directory;

    @Test
    void whatTheStoreWritesIsSeenWhileItHasTheFileOpen() {
        try (SqliteLedger ledger = ledger()) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            try (SqliteReadOnlyLedger view = view()) {
                assertThat(exported(view)).containsExactly(first);
                LedgerEvent second = event("ops", 2, "p2");
                append(ledger, second, opened(second));
                assertThat(exported(view)).containsExactly(first, second);
                assertThat(view.streams()).containsExactly("ops");
                assertThat(view.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 2));
                assertThat(view.summary("ops", "p2")).contains(opened(second));
            }
        }
    }

    @Test
    void whatIsWrittenDuringAnExportWaitsForTheNextOne() {
        try (SqliteLedger ledger = ledger();
                SqliteReadOnlyLedger view = view()) {
            for (int seq = 1; seq <= 3; seq++) {
                LedgerEvent event = event("ops", seq, "p" + seq);
                append(ledger, event, opened(event));
            }
            List<Long> seen = new ArrayList<>();
            view.export(each -> {
                LedgerEvent event = each.event();
                seen.add(event.seq());
                if (event.seq() <= 3) {
                    LedgerEvent more = event("ops", 3 + event.seq(), "q" + event.seq());
                    append(ledger, more, opened(more));
                }
            });
            assertThat(seen).containsExactly(1L, 2L, 3L);
            assertThat(exported(view)).hasSize(6);
        }
    }

    @Test
    void aReaderKeepsNoStoreFromOpening() {
        ledger().close();
        try (SqliteReadOnlyLedger view = view();
                SqliteLedger ledger = ledger()) {
            LedgerEvent event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            ledger.rebuildSummaries(SampleEvents::summarise);
            assertThat(exported(view)).containsExactly(event);
        }
    }

    @Test
    void aFileNobodyHasOpenIsReadAndWhatIsKeptStaysAsItIs() throws Exception {
        LedgerEvent event = event("ops", 1, "p1");
        try (SqliteLedger ledger = ledger()) {
            append(ledger, event, opened(event));
        }
        byte[] before = Files.readAllBytes(file());
        try (SqliteReadOnlyLedger view = view()) {
            assertThat(exported(view)).containsExactly(event);
        }
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        try (var files = Files.list(directory)) {
            for (Path each : files.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as(each.toString())
                        .isEqualTo("rw-------");
            }
        }
        ledger().close();
    }

    @Test
    void whereThereIsNoLedgerNoneIsMade() throws Exception {
        assertThat(refusal()).isEqualTo("The ledger " + file() + " does not exist.");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void anotherProgramsDatabaseIsRefused() throws SQLException {
        sql("CREATE TABLE theirs (x)");
        assertThat(refusal()).contains("not a Gavel ledger", file().toString());
    }

    @Test
    void aFileOfANewerSchemaIsRefused() throws SQLException {
        ledger().close();
        sql("PRAGMA user_version = 7");
        assertThat(refusal()).contains("newer version of Gavel");
    }

    @Test
    void aFileWithoutASchemaIsRefused() throws Exception {
        Files.createFile(file());
        assertThat(refusal()).contains("empty or was written by an older version of Gavel", "Start the server");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefused() throws Exception {
        Files.writeString(file(), "Dear diary, this is not a database, but it is rather longer than a header.");
        assertThat(refusal()).contains("cannot be opened", file().toString());
    }

    @Test
    void aClosedViewSaysSo() {
        ledger().close();
        SqliteReadOnlyLedger view = view();
        view.close();
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(view::streams)
                .withMessageContaining("closed");
    }

    private static List<LedgerEvent> exported(SqliteReadOnlyLedger view) {
        List<LedgerEvent> events = new ArrayList<>();
        view.export(each -> events.add(each.event()));
        return events;
    }

    private Path file() {
        return directory.resolve("ledger.db");
    }

    private SqliteLedger ledger() {
        return switch (SqliteLedger.open(file(), SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> ledger;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private SqliteReadOnlyLedger view() {
        return switch (SqliteReadOnlyLedger.open(file(), SqliteOptions.DEFAULT)) {
            case SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view) -> view;
            case SqliteReadOnlyOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private String refusal() {
        return switch (SqliteReadOnlyLedger.open(file(), SqliteOptions.DEFAULT)) {
            case SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view) -> {
                view.close();
                throw new AssertionError("was opened");
            }
            case SqliteReadOnlyOpenResult.Refused(String reason) -> reason;
        };
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
