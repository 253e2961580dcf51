package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;
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
                SepLimits.forSponsors(2));
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

    /** Knows a revocation at first only from the ledger, like a process that has not applied it yet. */
    private static final class LateDirectory implements PeopleDirectory {
        @Override
        public List<KnownPerson> listAll() {
            return List.of(new KnownPerson("erin", "Erin", Set.of("maintainer"), List.of()));
        }

        @Override
        public List<KnownPerson> listAll(LongFunction<List<LedgerEvent>> identityEventsAfter) {
            boolean active = identityEventsAfter.apply(0).stream()
                    .noneMatch(event -> event.subject().equals("erin"));
            return List.of(new KnownPerson("erin", "Erin", Set.of("maintainer"), List.of(), active));
        }
    }

    private void revokeInLedger(String identity) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        sepServiceFixture
                .writer()
                .<Boolean>submit(
                        LedgerReader.IDENTITY_STREAM,
                        0,
                        context -> {
                            LedgerBody body = LedgerBody.of("{}");
                            LedgerEvent event = context.createEvent(identity, "revoked", "dave", null, body);
                            return TaskDecision.ofEvent(
                                    true,
                                    event,
                                    new SubjectSummary(
                                            event.stream(),
                                            identity,
                                            "revoked",
                                            false,
                                            identity,
                                            null,
                                            event.at(),
                                            null,
                                            event.seq(),
                                            body));
                        },
                        result -> written.complete(result instanceof WriteResult.Written<Boolean>));
        assertThat(written.join()).isTrue();
    }

    @Test
    void aRevocationInTheLedgerCountsBeforeTheProcessHasAppliedIt() {
        LedgerSepService late = new LedgerSepService(
                sepServiceFixture.ledger(),
                writer,
                new LifecycleEngine(BuiltInProcesses.defaultProcess()),
                new LateDirectory(),
                sepServiceFixture::now,
                ExecutorPools.shared(executor),
                SepLimits.forSponsors(2));
        int number = sepServiceFixture.submit("alice", "A");
        SepCaller erin = new SepCaller("erin", Set.of("maintainer"));
        Json comment = SepServiceFixture.arguments("number", number, "text", "Hello.");
        done(late.execute(erin, SepOperation.COMMENT, comment).toCompletableFuture());

        revokeInLedger("erin");

        Json document = SepServiceFixture.arguments("document", SepServiceFixture.document("B"));
        Json sep = SepServiceFixture.arguments("number", number);
        for (CompletionStage<SepResult> result : List.of(
                late.execute(erin, SepOperation.COMMENT, comment),
                late.execute(erin, SepOperation.SPONSOR, sep),
                late.execute(erin, SepOperation.SUBMIT, document))) {
            assertThat(((SepResult.Refused) result.toCompletableFuture().join()).code())
                    .isEqualTo("access-ended");
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
