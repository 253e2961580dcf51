package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.Desk.fulfil;
import static dev.gavel.ledger.writer.Desk.propose;
import static dev.gavel.ledger.writer.Desk.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.Event;
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

/** The writer over a database that cannot be written for a while. */
class FailingCommitTest {
    @TempDir
    Path directory;

    @Test
    void allOfABatchThatCannotBeCommittedAreToldSoAndWhatTheyDecidedIsForgotten() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = Desk.open(file);
                LedgerWriter writer = Desk.writer(ledger)) {
            submit(writer, "ops", propose("p1", "e1")).join();
            // Only inserting fails, so the batch is decided before it does.
            sql(file, "CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT raise(ABORT, 'no room'); END");
            List<CompletableFuture<Outcome<String>>> failing = List.of(
                    submit(writer, "ops", fulfil("p1", "alice")),
                    submit(writer, "ops", propose("p2", "e2")),
                    submit(writer, "seps", propose("s1", "e1")));
            assertThat(failing)
                    .allSatisfy(outcome -> assertThat(outcome.join()).isInstanceOf(Outcome.Unavailable.class));
            assertThat(writer.measures().failedCommits()).isPositive();
            assertThat(ledger.history("ops", "p1")).hasSize(1);
            assertThat(ledger.history("ops", "p2")).isEmpty();

            sql(file, "DROP TRIGGER full");
            assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("fulfilled");
            assertThat(result(submit(writer, "ops", propose("p2", "e2")))).isEqualTo("proposed");
            assertThat(ledger.history("ops", "p1")).extracting(Event::actor).containsExactly("agent", "bob");
            assertThat(ledger.history("ops", "p2")).extracting(Event::seq).containsExactly(3L);
        }
    }

    @Test
    void aLockedDatabaseIsUnavailableAndThenWorksAgain() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = Desk.open(file);
                LedgerWriter writer = Desk.writer(ledger);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            submit(writer, "ops", propose("p0", "e0")).join();
            statement.executeUpdate("BEGIN IMMEDIATE");
            List<CompletableFuture<Outcome<String>>> refused = IntStream.range(1, 20)
                    .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                    .toList();
            assertThat(refused)
                    .allSatisfy(outcome -> assertThat(outcome.join())
                            .isEqualTo(new Outcome.Unavailable<>(
                                    "another program holds the ledger", Duration.ofSeconds(1))));
            statement.executeUpdate("ROLLBACK");
            List<CompletableFuture<Outcome<String>>> again = IntStream.range(1, 20)
                    .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                    .toList();
            assertThat(again.stream().map(FailingCommitTest::result)).containsOnly("proposed");
            assertThat(exportedSeqs(ledger))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 20).boxed().toList());
        }
    }

    @Test
    void aWriterThatCouldNotWriteFindsOutByItselfThatItCanAgain() throws SQLException {
        Path file = directory.resolve("ledger.db");
        try (SqliteLedger ledger = Desk.open(file);
                LedgerWriter writer = Desk.writer(ledger);
                Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            assertThat(writer.available()).isTrue();
            statement.executeUpdate("BEGIN IMMEDIATE");
            submit(writer, "ops", propose("p1", "e1")).join();
            assertThat(writer.available()).isFalse();
            statement.executeUpdate("ROLLBACK");
            await().until(writer::available);
            assertThat(exportedSeqs(ledger)).isEmpty();
        }
    }

    private static List<Long> exportedSeqs(SqliteLedger ledger) {
        List<Long> seqs = new ArrayList<>();
        ledger.export(each -> seqs.add(each.event().seq()));
        return seqs;
    }

    private static String result(CompletableFuture<Outcome<String>> outcome) {
        assertThat(outcome.join()).isInstanceOf(Outcome.Written.class);
        return outcome.join() instanceof Outcome.Written<String> written ? written.result() : "";
    }

    private static void sql(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
