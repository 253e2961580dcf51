package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.HashChainContract;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerContract;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
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
    class Chains extends HashChainContract {
        @Override
        protected LedgerStore open() {
            return opening();
        }
    }

    @Test
    void aFileOfANewerSchemaIsRefusedAndLeftAlone() throws SQLException {
        opening().close();
        sql("PRAGMA user_version = 7");
        assertThat(refusal()).contains("newer version of Gavel", "schema 7", "supports up to 3", file().toString());
        sql("PRAGMA user_version = 3");
        opening().close();
    }

    @Test
    void anotherProgramsDatabaseIsRefusedAndLeftAlone() throws Exception {
        sql("CREATE TABLE theirs (x)");
        byte[] before = Files.readAllBytes(file());
        assertThat(refusal()).contains("not a Gavel ledger");
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
            LedgerEvent event = event("ops", 1, "p1");
            append(first, event, opened(event));
        }
        opening().close();
    }

    @Test
    void nobodyButTheOwnerMayReadIt() throws Exception {
        Files.createFile(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        try (SqliteLedger ledger = opening()) {
            LedgerEvent event = event("ops", 1, "p1");
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
    void onlyTheOwnerMayListADataDirectoryThatItCreates() throws Exception {
        Path data = directory.resolve("data");
        assertThat(SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        SqliteOpenResult.Opened.class, opened -> opened.ledger().close());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
    }

    @Test
    void aFullDiskMakesItUnavailableUntilThereIsRoom() throws SQLException {
        try (SqliteLedger ledger = opening()) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            ledger.executeOnWriter("PRAGMA max_page_count = 1");
            long seq = 1;
            CommitResult last;
            do {
                seq++;
                last = write(ledger, event("ops", seq, "p" + seq));
            } while (last instanceof CommitResult.Committed);
            assertThat(last).isEqualTo(new CommitResult.Unavailable("the ledger's disk is full"));
            assertThat(write(ledger, event("ops", seq, "p" + seq))).isEqualTo(last);
            assertThat(ledger.retainedRange("ops").last()).isEqualTo(seq - 1);
            assertThat(ledger.history("ops", "p" + seq)).isEmpty();
            assertThat(ledger.summary("ops", "p" + seq)).isEmpty();
            ledger.executeOnWriter("PRAGMA max_page_count = 100000");
            assertThat(write(ledger, event("ops", seq, "p" + seq))).isEqualTo(new CommitResult.Committed());
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
                    .isEqualTo(new CommitResult.Unavailable("another program has locked the ledger"));
            assertThat(ledger.retainedRange("ops").last()).isZero();
            statement.executeUpdate("ROLLBACK");
            assertThat(write(ledger, event("ops", 1, "p1"))).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void aClosedLedgerSaysSo() {
        SqliteLedger ledger = opening();
        ledger.close();
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> ledger.retainedRange("ops"))
                .withMessageContaining("closed");
        assertThatExceptionOfType(LedgerException.class)
                .isThrownBy(() -> write(ledger, event("ops", 1, "p1")))
                .withMessageContaining("closed");
    }

    private Path file() {
        return directory.resolve("ledger.db");
    }

    private SqliteLedger opening() {
        return switch (SqliteLedger.open(file(), IMPATIENT)) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> ledger;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    private String refusal() {
        return switch (SqliteLedger.open(file(), IMPATIENT)) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> {
                ledger.close();
                throw new AssertionError("was opened");
            }
            case SqliteOpenResult.Refused(String reason) -> reason;
        };
    }

    private static CommitResult write(SqliteLedger ledger, LedgerEvent event) {
        return ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(event), List.of(opened(event))));
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
