package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.SampleWriterTasks.fulfil;
import static dev.gavel.ledger.writer.SampleWriterTasks.propose;
import static dev.gavel.ledger.writer.SampleWriterTasks.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failed commit leaves nothing behind and that the writer recovers. */
class FailedCommitTest {
    @TempDir
    Path directory;

    @Test
    void aFailedCommitIsReportedToAllSubmittersAndItsDecisionsAreDropped() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = SampleWriterTasks.open(file);
                LedgerWriter writer = SampleWriterTasks.writer(ledger)) {
            submit(writer, "ops", propose("p1", "e1")).join();
            // Only the insert fails, so the batch is decided before.
            sql(file, "CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT raise(ABORT, 'no room'); END");
            List<CompletableFuture<WriteResult<String>>> failing = List.of(
                    submit(writer, "ops", fulfil("p1", "alice")),
                    submit(writer, "ops", propose("p2", "e2")),
                    submit(writer, "seps", propose("s1", "e1")));
            assertThat(failing)
                    .allSatisfy(
                            writeResult -> assertThat(writeResult.join()).isInstanceOf(WriteResult.Unavailable.class));
            assertThat(writer.metrics().failedCommits()).isPositive();
            assertThat(ledger.history("ops", "p1")).hasSize(1);
            assertThat(ledger.history("ops", "p2")).isEmpty();

            sql(file, "DROP TRIGGER full");
            assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("fulfilled");
            assertThat(result(submit(writer, "ops", propose("p2", "e2")))).isEqualTo("proposed");
            assertThat(ledger.history("ops", "p1"))
                    .extracting(LedgerEvent::actor)
                    .containsExactly("agent", "bob");
            assertThat(ledger.history("ops", "p2")).extracting(LedgerEvent::seq).containsExactly(3L);
        }
    }

    @Test
    void aLockedDatabaseIsUnavailableAndThenWorksAgain() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = SampleWriterTasks.open(file);
                LedgerWriter writer = SampleWriterTasks.writer(ledger);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            submit(writer, "ops", propose("p0", "e0")).join();
            statement.executeUpdate("BEGIN IMMEDIATE");
            List<CompletableFuture<WriteResult<String>>> refused = IntStream.range(1, 20)
                    .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                    .toList();
            assertThat(refused)
                    .allSatisfy(writeResult -> assertThat(writeResult.join())
                            .isEqualTo(new WriteResult.Unavailable<>(
                                    "another program has locked the ledger", Duration.ofSeconds(1))));
            statement.executeUpdate("ROLLBACK");
            List<CompletableFuture<WriteResult<String>>> again = IntStream.range(1, 20)
                    .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                    .toList();
            assertThat(again.stream().map(FailedCommitTest::result)).containsOnly("proposed");
            assertThat(exportedSeqs(ledger))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 20).boxed().toList());
        }
    }

    @Test
    void aWriterThatCouldNotWriteFindsOutByItselfThatItCanAgain() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = SampleWriterTasks.open(file);
                LedgerWriter writer = SampleWriterTasks.writer(ledger);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            assertThat(writer.isAvailable()).isTrue();
            statement.executeUpdate("BEGIN IMMEDIATE");
            submit(writer, "ops", propose("p1", "e1")).join();
            assertThat(writer.isAvailable()).isFalse();
            statement.executeUpdate("ROLLBACK");
            await().until(writer::isAvailable);
            assertThat(exportedSeqs(ledger)).isEmpty();
        }
    }

    private static List<Long> exportedSeqs(SqliteLedger ledger) {
        List<Long> seqs = new ArrayList<>();
        ledger.export(each -> seqs.add(each.event().seq()));
        return seqs;
    }

    private static String result(CompletableFuture<WriteResult<String>> writeResult) {
        assertThat(writeResult.join()).isInstanceOf(WriteResult.Written.class);
        return writeResult.join() instanceof WriteResult.Written<String> written ? written.result() : "";
    }

    private static void sql(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
