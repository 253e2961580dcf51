package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.ChainContract;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerContract;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest {
    private static final SqliteOptions IMPATIENT = SqliteOptions.DEFAULT.busyTimeout(Duration.ofMillis(50));

    @TempDir
    Path directory;

    @Nested
    class Contract extends LedgerContract {
        @Override
        protected LedgerStore open() {
            return opening();
        }
    }

    @Nested
    class Chains extends ChainContract {
        @Override
        protected LedgerStore open() {
            return opening();
        }
    }

    @Test
    void aFileOfANewerSchemaIsRefusedAndLeftAlone() throws SQLException {
        opening().close();
        sql("PRAGMA user_version = 7");
        assertThat(refusal()).contains("newer Gavel", "schema is 7", "knows up to 2", file().toString());
        sql("PRAGMA user_version = 2");
        opening().close();
    }

    @Test
    void anotherProgramsDatabaseIsRefusedAndLeftAlone() throws Exception {
        sql("CREATE TABLE theirs (x)");
        byte[] before = Files.readAllBytes(file());
        assertThat(refusal()).contains("no ledger of Gavel's");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void aFileThatIsNoDatabaseIsRefused() throws Exception {
        Files.writeString(file(), "Dear diary, this is not a database, but it is rather longer than a header.");
        assertThat(refusal()).contains("cannot be opened", file().toString());
    }

    @Test
    void aLedgerInUseIsRefused() {
        try (SqliteLedger first = opening()) {
            assertThat(refusal()).contains("in use by another process", file().toString());
            Event event = event("ops", 1, "p1");
            append(first, event, opened(event));
        }
        opening().close();
    }

    @Test
    void nobodyButTheOwnerMayReadIt() throws Exception {
        Files.createFile(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        try (SqliteLedger ledger = opening()) {
            Event event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            try (var files = Files.list(directory)) {
                List<Path> all = files.toList();
                assertThat(all).hasSizeGreaterThanOrEqualTo(3);
                for (Path each : all) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .as(each.toString())
                            .isEqualTo("rw-------");
                }
            }
        }
    }

    @Test
    void aFullDiskMakesItUnavailableUntilThereIsRoom() throws SQLException {
        try (SqliteLedger ledger = opening()) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            ledger.tamper("PRAGMA max_page_count = 1");
            long seq = 1;
            Commit last;
            do {
                seq++;
                last = write(ledger, event("ops", seq, "p" + seq));
            } while (last instanceof Commit.Done);
            assertThat(last).isEqualTo(new Commit.Unavailable("the ledger's disk is full"));
            assertThat(write(ledger, event("ops", seq, "p" + seq))).isEqualTo(last);
            assertThat(ledger.extent("ops").last()).isEqualTo(seq - 1);
            assertThat(ledger.history("ops", "p" + seq)).isEmpty();
            assertThat(ledger.summary("ops", "p" + seq)).isEmpty();
            ledger.tamper("PRAGMA max_page_count = 100000");
            assertThat(write(ledger, event("ops", seq, "p" + seq))).isEqualTo(new Commit.Done());
            assertThat(ledger.history("ops", "p" + seq)).hasSize(1);
        }
    }

    @Test
    void aLockedFileMakesItUnavailableUntilItIsReleased() throws SQLException {
        try (SqliteLedger ledger = opening();
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            assertThat(write(ledger, event("ops", 1, "p1")))
                    .isEqualTo(new Commit.Unavailable("another program holds the ledger"));
            assertThat(ledger.extent("ops").last()).isZero();
            statement.executeUpdate("ROLLBACK");
            assertThat(write(ledger, event("ops", 1, "p1"))).isEqualTo(new Commit.Done());
        }
    }

    @Test
    void aClosedLedgerSaysSo() {
        SqliteLedger ledger = opening();
        ledger.close();
        assertThatExceptionOfType(LedgerFailure.class)
                .isThrownBy(() -> ledger.extent("ops"))
                .withMessageContaining("closed");
        assertThatExceptionOfType(LedgerFailure.class)
                .isThrownBy(() -> write(ledger, event("ops", 1, "p1")))
                .withMessageContaining("closed");
    }

    private Path file() {
        return directory.resolve("ledger.db");
    }

    private SqliteLedger opening() {
        return switch (SqliteLedger.open(file(), IMPATIENT)) {
            case Opening.Opened(SqliteLedger ledger) -> ledger;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private String refusal() {
        return switch (SqliteLedger.open(file(), IMPATIENT)) {
            case Opening.Opened(SqliteLedger ledger) -> {
                ledger.close();
                throw new AssertionError("was opened");
            }
            case Opening.Refused(String reason) -> reason;
        };
    }

    private static Commit write(SqliteLedger ledger, Event event) {
        return ledger.write(Set.of("ops"), reader -> new Batch(List.of(event), List.of(opened(event))));
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
