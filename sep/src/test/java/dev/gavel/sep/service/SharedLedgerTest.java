package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.store.SepStreamNames;
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

/** Tests two SEP services that share a ledger, each with its own writer. */
@SuppressWarnings("NullAway.Init") // initialized before each test
class SharedLedgerTest {
    private static final int EACH = 20;

    @TempDir
    private Path directory;

    private final ExecutorService executor =
            Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
    private SepServiceFixture sepServiceFixture;
    private LedgerWriter writer;
    private LedgerSepService other;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
        writer = new LedgerWriter(sepServiceFixture.ledger(), sepServiceFixture::now, WriterOptions.DEFAULT);
        other = new LedgerSepService(
                sepServiceFixture.ledger(),
                writer,
                new LifecycleEngine(BuiltInProcesses.defaultProcess()),
                () -> List.of(
                        new PeopleDirectory.KnownPerson("alice", "Alice", Set.of(), List.of()),
                        new PeopleDirectory.KnownPerson("bob", "Bob", Set.of("maintainer"), List.of())),
                sepServiceFixture::now,
                ExecutorPools.shared(executor),
                2,
                Long.MAX_VALUE);
    }

    @AfterEach
    void close() {
        writer.close();
        sepServiceFixture.close();
        executor.shutdown();
    }

    private static CompletableFuture<SepResult> submit(LedgerSepService sepService, String title) {
        return sepService
                .execute(
                        new SepCaller("alice", Set.of()),
                        SepOperation.SUBMIT,
                        SepServiceFixture.arguments("document", SepServiceFixture.document(title)))
                .toCompletableFuture();
    }

    private static Json done(CompletableFuture<SepResult> sepResult) {
        assertThat(sepResult.join()).isInstanceOf(SepResult.Success.class);
        return ((SepResult.Success) sepResult.join()).body();
    }

    private List<Json> submitAtBoth() {
        List<CompletableFuture<SepResult>> replies = new ArrayList<>();
        IntStream.range(0, EACH).forEach(i -> {
            replies.add(submit(sepServiceFixture.service(), "Here " + i));
            replies.add(submit(other, "There " + i));
        });
        return replies.stream().map(SharedLedgerTest::done).toList();
    }

    @Test
    void everyNumberIsGivenOnceAndBothKnowAll() {
        assertThat(submitAtBoth().stream().map(reply -> reply.at("number").asLong(0)))
                .hasSize(2 * EACH)
                .doesNotHaveDuplicates();
        for (LedgerSepService sepService : List.of(sepServiceFixture.service(), other)) {
            Json list = done(sepService
                    .execute(new SepCaller("bob", Set.of("maintainer")), SepOperation.TRIAGE, Json.object())
                    .toCompletableFuture());
            assertThat(list.raw()).contains("Here 0").contains("There 0");
        }
    }

    @Test
    void whatIsDueIsDoneByOneOfThem() {
        submitAtBoth();
        sepServiceFixture.advanceClock(Duration.ofDays(15));
        long before =
                sepServiceFixture.ledger().retainedRange(SepStreamNames.SEPS).last();
        CompletableFuture<SepResult> here = sepServiceFixture.service().sweep().toCompletableFuture();
        CompletableFuture<SepResult> there = other.sweep().toCompletableFuture();
        assertThat(done(here).at("done").asLong(0) + done(there).at("done").asLong(0))
                .isEqualTo(2L * EACH);
        assertThat(sepServiceFixture.ledger().retainedRange(SepStreamNames.SEPS).last() - before)
                .isEqualTo(2L * EACH);
        assertThat(done(other.sweep().toCompletableFuture()).at("done").asLong(-1))
                .isZero();
    }
}
