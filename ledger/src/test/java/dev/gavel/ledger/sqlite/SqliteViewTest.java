package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.Samples;
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

/** The file read beside the store that has it open; {@code ViewBesideAWriterTest} does so beside another process. */
class SqliteViewTest {
    @TempDir
    Path directory;

    @Test
    void whatTheStoreWritesIsSeenWhileItHasTheFileOpen() {
        try (SqliteLedger ledger = ledger()) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            try (SqliteView view = view()) {
                assertThat(exported(view)).containsExactly(first);
                Event second = event("ops", 2, "p2");
                append(ledger, second, opened(second));
                assertThat(exported(view)).containsExactly(first, second);
                assertThat(view.streams()).containsExactly("ops");
                assertThat(view.extent("ops")).isEqualTo(new Extent(1, 2));
                assertThat(view.summary("ops", "p2")).contains(opened(second));
            }
        }
    }

    @Test
    void whatIsWrittenDuringAnExportWaitsForTheNextOne() {
        try (SqliteLedger ledger = ledger();
                SqliteView view = view()) {
            for (int seq = 1; seq <= 3; seq++) {
                Event event = event("ops", seq, "p" + seq);
                append(ledger, event, opened(event));
            }
            List<Long> seen = new ArrayList<>();
            view.export(each -> {
                Event event = each.event();
                seen.add(event.seq());
                if (event.seq() <= 3) {
                    Event more = event("ops", 3 + event.seq(), "q" + event.seq());
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
        try (SqliteView view = view();
                SqliteLedger ledger = ledger()) {
            Event event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            ledger.rebuild(Samples::summarise);
            assertThat(exported(view)).containsExactly(event);
        }
    }

    @Test
    void aFileNobodyHasOpenIsReadAndWhatIsKeptStaysAsItIs() throws Exception {
        Event event = event("ops", 1, "p1");
        try (SqliteLedger ledger = ledger()) {
            append(ledger, event, opened(event));
        }
        byte[] before = Files.readAllBytes(file());
        try (SqliteView view = view()) {
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
        assertThat(refusal()).isEqualTo("There is no ledger " + file() + ".");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void anotherProgramsDatabaseIsRefused() throws SQLException {
        sql("CREATE TABLE theirs (x)");
        assertThat(refusal()).contains("no ledger of Gavel's", file().toString());
    }

    @Test
    void aFileOfANewerSchemaIsRefused() throws SQLException {
        ledger().close();
        sql("PRAGMA user_version = 7");
        assertThat(refusal()).contains("newer Gavel");
    }

    @Test
    void aFileWithoutASchemaIsRefused() throws Exception {
        Files.createFile(file());
        assertThat(refusal()).contains("older Gavel, or was never written", "Start the server");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefused() throws Exception {
        Files.writeString(file(), "Dear diary, this is not a database, but it is rather longer than a header.");
        assertThat(refusal()).contains("cannot be opened", file().toString());
    }

    @Test
    void aClosedViewSaysSo() {
        ledger().close();
        SqliteView view = view();
        view.close();
        assertThatExceptionOfType(LedgerFailure.class).isThrownBy(view::streams).withMessageContaining("closed");
    }

    private static List<Event> exported(SqliteView view) {
        List<Event> events = new ArrayList<>();
        view.export(each -> events.add(each.event()));
        return events;
    }

    private Path file() {
        return directory.resolve("ledger.db");
    }

    private SqliteLedger ledger() {
        return switch (SqliteLedger.open(file(), SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger ledger) -> ledger;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private SqliteView view() {
        return switch (SqliteView.open(file(), SqliteOptions.DEFAULT)) {
            case Viewing.Opened(SqliteView view) -> view;
            case Viewing.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private String refusal() {
        return switch (SqliteView.open(file(), SqliteOptions.DEFAULT)) {
            case Viewing.Opened(SqliteView view) -> {
                view.close();
                throw new AssertionError("was opened");
            }
            case Viewing.Refused(String reason) -> reason;
        };
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
