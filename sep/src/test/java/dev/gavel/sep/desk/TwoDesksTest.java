package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.process.Processes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two desks that share a ledger, each with a writer of its own, as two processes have them. */
@SuppressWarnings("NullAway.Init") // made before each test
class TwoDesksTest {
    private static final int EACH = 20;

    @TempDir
    private Path directory;

    private final ExecutorService executor =
            Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
    private Office office;
    private LedgerWriter writer;
    private LedgerDesk other;

    @BeforeEach
    void open() {
        office = new Office(directory);
        writer = new LedgerWriter(office.ledger(), office::now, WriterOptions.DEFAULT);
        other = new LedgerDesk(
                office.ledger(),
                writer,
                new Lifecycle(Processes.usual()),
                () -> List.of(
                        new People.Known("alice", "Alice", Set.of(), List.of()),
                        new People.Known("bob", "Bob", Set.of("maintainer"), List.of())),
                office::now,
                Hands.all(executor),
                2);
    }

    @AfterEach
    void close() {
        writer.close();
        office.close();
        executor.shutdown();
    }

    private static CompletableFuture<Reply> submit(LedgerDesk desk, String title) {
        return desk.ask(
                        new Caller("alice", Set.of()),
                        Verb.SUBMIT,
                        Office.arguments("document", Office.document(title)))
                .toCompletableFuture();
    }

    private static Json done(CompletableFuture<Reply> reply) {
        assertThat(reply.join()).isInstanceOf(Reply.Done.class);
        return ((Reply.Done) reply.join()).body();
    }

    private List<Json> submitAtBoth() {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        IntStream.range(0, EACH).forEach(i -> {
            replies.add(submit(office.desk(), "Here " + i));
            replies.add(submit(other, "There " + i));
        });
        return replies.stream().map(TwoDesksTest::done).toList();
    }

    @Test
    void everyNumberIsGivenOnceAndBothKnowAll() {
        assertThat(submitAtBoth().stream().map(reply -> reply.at("number").number(0)))
                .hasSize(2 * EACH)
                .doesNotHaveDuplicates();
        for (LedgerDesk desk : List.of(office.desk(), other)) {
            Json list = done(desk.ask(new Caller("bob", Set.of("maintainer")), Verb.TRIAGE, Json.object())
                    .toCompletableFuture());
            assertThat(list.raw()).contains("Here 0").contains("There 0");
        }
    }

    @Test
    void whatIsDueIsDoneByOneOfThem() {
        submitAtBoth();
        office.later(Duration.ofDays(15));
        long before = office.ledger().extent(Streams.SEPS).last();
        CompletableFuture<Reply> here = office.desk().sweep().toCompletableFuture();
        CompletableFuture<Reply> there = other.sweep().toCompletableFuture();
        assertThat(done(here).at("done").number(0) + done(there).at("done").number(0))
                .isEqualTo(2L * EACH);
        assertThat(office.ledger().extent(Streams.SEPS).last() - before).isEqualTo(2L * EACH);
        assertThat(done(other.sweep().toCompletableFuture()).at("done").number(-1))
                .isZero();
    }
}
