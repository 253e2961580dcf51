package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.SampleWriterTasks.NOW;
import static dev.gavel.ledger.writer.SampleWriterTasks.fulfil;
import static dev.gavel.ledger.writer.SampleWriterTasks.propose;
import static dev.gavel.ledger.writer.SampleWriterTasks.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerWriterTest {
    @TempDir
    Path directory;

    private SqliteLedger ledger;
    private LedgerWriter writer;

    @BeforeEach
    void open() {
        ledger = SampleWriterTasks.open(directory.resolve("ledger.db"));
        writer = SampleWriterTasks.writer(ledger);
    }

    @AfterEach
    void close() {
        writer.close();
        ledger.close();
    }

    @Test
    void reportedResultsAreDurable() {
        CompletableFuture<List<LedgerEvent>> found = new CompletableFuture<>();
        writer.submit("ops", propose("p1", "e1"), writeResult -> found.complete(ledger.history("ops", "p1")));
        LedgerEvent event = new LedgerEvent("ops", 1, NOW, "p1", "proposed", "agent", "e1", LedgerBody.of("{}"));
        assertThat(found.join()).containsExactly(event);
        assertThat(submit(writer, "ops", fulfil("p1", "alice")).join())
                .isEqualTo(new WriteResult.Written<>(
                        "fulfilled",
                        List.of(new LedgerEvent(
                                "ops", 2, NOW, "p1", "fulfilled", "alice", "alice/p1", LedgerBody.of("{}")))));
        assertThat(ledger.summary("ops", "p1")).map(SubjectSummary::state).contains("fulfilled");
    }

    @Test
    void aTaskSeesWhatTheSameBatchHasDecided() {
        List<CompletableFuture<WriteResult<String>>> outcomes = inOneBatch(
                List.of(propose("p1", "e1"), propose("p1", "e1"), fulfil("p1", "alice"), fulfil("p1", "bob")));
        assertThat(outcomes.stream().map(LedgerWriterTest::result))
                .containsExactly("proposed", "again", "fulfilled", "closed");
        assertThat(ledger.history("ops", "p1")).extracting(LedgerEvent::seq).containsExactly(1L, 2L);
        assertThat(writer.metrics().largestBatch()).isEqualTo(2);
    }

    @Test
    void aViewShowsDurableAndQueuedAlike() {
        submit(writer, "ops", propose("p1", "e1")).join();
        submit(writer, "ops", propose("p2", "e2")).join();
        List<CompletableFuture<WriteResult<String>>> outcomes =
                inOneBatch(List.of(fulfil("p1", "alice"), propose("p3", "e3"), writerTaskContext -> {
                    assertThat(writerTaskContext.stream()).isEqualTo("ops");
                    assertThat(writerTaskContext.now()).isEqualTo(NOW);
                    assertThat(writerTaskContext.history("p1"))
                            .extracting(LedgerEvent::type)
                            .containsExactly("proposed", "fulfilled");
                    assertThat(writerTaskContext.history("p3"))
                            .extracting(LedgerEvent::seq)
                            .containsExactly(4L);
                    assertThat(writerTaskContext.history("p4")).isEmpty();
                    assertThat(writerTaskContext.summary("p4")).isEmpty();
                    assertThat(writerTaskContext.findByReference("e1"))
                            .map(LedgerEvent::seq)
                            .contains(1L);
                    assertThat(writerTaskContext.findByReference("e3"))
                            .map(LedgerEvent::seq)
                            .contains(4L);
                    assertThat(writerTaskContext.findByReference("e4")).isEmpty();
                    assertThat(writerTaskContext.openSubjects())
                            .extracting(SubjectSummary::subject)
                            .containsExactly("p2", "p3");
                    return TaskDecision.withoutEvents("seen");
                }));
        assertThat(outcomes.stream().map(LedgerWriterTest::result)).containsExactly("fulfilled", "proposed", "seen");
    }

    @Test
    void aProposalIsFulfilledAtMostOnceHoweverManyTry() throws InterruptedException {
        int proposals = 50;
        int rivals = 8;
        IntStream.range(0, proposals).forEach(i -> writer.submit("ops", propose("p" + i, "e" + i), writeResult -> {}));
        AtomicInteger winners = new AtomicInteger();
        CountDownLatch completed = new CountDownLatch(proposals * rivals);
        List<Thread> threads = IntStream.range(0, rivals)
                .mapToObj(rival -> Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < proposals; i++) {
                        writer.submit("ops", fulfil("p" + i, "rival" + rival), writeResult -> {
                            if (result(writeResult).equals("fulfilled")) {
                                winners.incrementAndGet();
                            }
                            completed.countDown();
                        });
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        completed.await();
        assertThat(winners).hasValue(proposals);
        for (int i = 0; i < proposals; i++) {
            assertThat(ledger.history("ops", "p" + i))
                    .extracting(LedgerEvent::type)
                    .containsExactly("proposed", "fulfilled");
        }
        assertThat(ledger.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 2L * proposals));
    }

    @Test
    void resultsAreReportedInTheOrderOfSubmission() {
        List<Integer> completed = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            WriterTask<String> task =
                    i % 3 == 0 ? writerTaskContext -> TaskDecision.withoutEvents("nothing") : propose("p" + i, "e" + i);
            writer.submit(i % 2 == 0 ? "ops" : "seps", task, writeResult -> {
                completed.add(number);
                if (writeResult instanceof WriteResult.Written<String> written) {
                    written.events().stream()
                            .filter(event -> event.stream().equals("ops"))
                            .forEach(event -> seqs.add(event.seq()));
                }
            });
        }
        writer.close();
        assertThat(completed)
                .containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
        assertThat(seqs)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, seqs.size()).boxed().toList());
    }

    @Test
    void aTaskThatThrowsFailsAlone() {
        List<CompletableFuture<WriteResult<String>>> outcomes = inOneBatch(List.of(
                propose("p1", "e1"),
                writerTaskContext -> {
                    writerTaskContext.createEvent("p2", "proposed", "agent", "e2", LedgerBody.of("{}"));
                    throw new UnsupportedOperationException("no");
                },
                writerTaskContext -> {
                    throw new StackOverflowError();
                },
                propose("p3", "e3")));
        assertThat(outcomes.get(1).join()).isInstanceOf(WriteResult.Failed.class);
        assertThat(outcomes.get(2).join()).isInstanceOf(WriteResult.Failed.class);
        assertThat(result(outcomes.get(3))).isEqualTo("proposed");
        assertThat(ledger.history("ops", "p2")).isEmpty();
        assertThat(ledger.history("ops", "p3")).extracting(LedgerEvent::seq).containsExactly(2L);
    }

    @Test
    void whatCannotBeWrittenFailsAlone() {
        submit(writer, "ops", propose("p1", "e1")).join();
        List<WriterTask<String>> wrong = List.of(
                // A reference that is already used.
                writerTaskContext -> {
                    LedgerEvent event =
                            writerTaskContext.createEvent("p2", "proposed", "agent", "e1", LedgerBody.of("{}"));
                    return TaskDecision.ofEvent("", event, SampleWriterTasks.open(event));
                },
                // An event that was created and not returned.
                writerTaskContext -> {
                    writerTaskContext.createEvent("p2", "proposed", "agent", "e2", LedgerBody.of("{}"));
                    LedgerEvent event = writerTaskContext.createEvent("p2", "told", "agent", null, LedgerBody.of("{}"));
                    return TaskDecision.ofEvent("", event, SampleWriterTasks.open(event));
                },
                // No summary.
                writerTaskContext -> new TaskDecision<>(
                        "",
                        List.of(writerTaskContext.createEvent("p2", "proposed", "agent", "e2", LedgerBody.of("{}"))),
                        List.of()),
                // A summary of another subject.
                writerTaskContext -> TaskDecision.ofEvent(
                        "",
                        writerTaskContext.createEvent("p2", "proposed", "agent", "e2", LedgerBody.of("{}")),
                        SampleWriterTasks.open(ledger.history("ops", "p1").getFirst())),
                // A summary without an event.
                writerTaskContext -> new TaskDecision<>(
                        "", List.of(), List.of(writerTaskContext.summary("p1").orElseThrow())),
                // The same reference twice.
                writerTaskContext -> {
                    LedgerEvent one =
                            writerTaskContext.createEvent("p2", "proposed", "agent", "e2", LedgerBody.of("{}"));
                    LedgerEvent two = writerTaskContext.createEvent("p2", "told", "agent", "e2", LedgerBody.of("{}"));
                    return new TaskDecision<>("", List.of(one, two), List.of(SampleWriterTasks.open(two)));
                });
        List<WriterTask<String>> all = new ArrayList<>(wrong);
        all.add(propose("p3", "e3"));
        List<CompletableFuture<WriteResult<String>>> outcomes = inOneBatch(all);
        assertThat(outcomes.subList(0, wrong.size()))
                .allSatisfy(writeResult -> assertThat(writeResult.join()).isInstanceOf(WriteResult.Failed.class));
        assertThat(result(outcomes.getLast())).isEqualTo("proposed");
        assertThat(ledger.retainedRange("ops").last()).isEqualTo(2);
    }

    @Test
    void whatFollowsAWriteMayFailWithoutHarmToTheNext() {
        writer.submit("ops", propose("p1", "e1"), writeResult -> {
            throw new UnsupportedOperationException("no");
        });
        assertThat(result(submit(writer, "ops", propose("p2", "e2")))).isEqualTo("proposed");
    }

    @Test
    void aFullQueueRefusesAtOnce() {
        try (LedgerWriter small = new LedgerWriter(
                ledger, () -> NOW, new WriterOptions(2, 1000, 10, 1 << 20, 1 << 20, Duration.ofSeconds(3)))) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch proceed = new CountDownLatch(1);
            small.submit("ops", waiting(begun, proceed), writeResult -> {});
            await(begun);
            CompletableFuture<WriteResult<String>> second = submit(small, "ops", propose("p2", "e2"));
            CompletableFuture<WriteResult<String>> third = submit(small, "ops", propose("p3", "e3"));
            CompletableFuture<WriteResult<String>> fourth = submit(small, "ops", propose("p4", "e4"));
            assertThat(fourth)
                    .isCompletedWithValueMatching(writeResult ->
                            writeResult instanceof WriteResult.Unavailable<String>(String reason, Duration retryAfter)
                                    && reason.contains("write queue is full")
                                    && retryAfter.equals(Duration.ofSeconds(3)));
            assertThat(small.metrics().queuedTasks()).isEqualTo(2);
            assertThat(small.metrics().refusedTasks()).isEqualTo(1);
            proceed.countDown();
            assertThat(result(second)).isEqualTo("proposed");
            assertThat(result(third)).isEqualTo("proposed");
        }
    }

    @Test
    void aQueueIsAlsoFullWhenWhatWaitsIsTooLarge() {
        try (LedgerWriter small = new LedgerWriter(
                ledger, () -> NOW, new WriterOptions(100, 1000, 10, 1 << 20, 1 << 20, Duration.ofSeconds(3)))) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch proceed = new CountDownLatch(1);
            small.submit("ops", waiting(begun, proceed), writeResult -> {});
            await(begun);
            CompletableFuture<WriteResult<String>> large = new CompletableFuture<>();
            small.submit("ops", 5000, propose("p2", "e2"), large::complete);
            CompletableFuture<WriteResult<String>> refused = new CompletableFuture<>();
            small.submit("ops", 1, propose("p3", "e3"), refused::complete);
            assertThat(refused)
                    .isCompletedWithValueMatching(writeResult -> writeResult instanceof WriteResult.Unavailable);
            proceed.countDown();
            assertThat(result(large)).isEqualTo("proposed");
        }
    }

    @Test
    void closingDoesNotWaitForEverForThoseThatWait() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        writer.submit("ops", waiting(begun, proceed), writeResult -> {});
        await(begun);
        CompletableFuture<WriteResult<String>> second = submit(writer, "ops", propose("p2", "e2"));
        // Called while the first task is still being decided; only that task is waited for.
        CompletableFuture<Void> completed = second.thenAccept(writeResult -> proceed.countDown());
        writer.close(Duration.ofMillis(10));
        completed.join();
        assertThat(second.join()).isInstanceOf(WriteResult.Unavailable.class);
    }

    @Test
    void closingTellsAllThatWereTakenAndTakesNoMore() {
        List<CompletableFuture<WriteResult<String>>> outcomes = IntStream.range(0, 300)
                .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                .toList();
        writer.close();
        assertThat(outcomes).allMatch(CompletableFuture::isDone);
        assertThat(outcomes.stream().map(LedgerWriterTest::result)).containsOnly("proposed");
        assertThat(submit(writer, "ops", propose("q", "q")).join()).isInstanceOf(WriteResult.Unavailable.class);
        assertThat(ledger.retainedRange("ops").last()).isEqualTo(300);
    }

    @Test
    void whatIsPrunedIsForgottenByTheWriterToo() {
        submit(writer, "ops", propose("p1", "e1")).join();
        submit(writer, "ops", fulfil("p1", "alice")).join();
        assertThat(ledger.prune(Instant.MAX, 10)).isEqualTo(1);
        assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("unknown");
        assertThat(result(submit(writer, "ops", propose("p1", "e1")))).isEqualTo("proposed");
        assertThat(ledger.history("ops", "p1")).extracting(LedgerEvent::seq).containsExactly(3L);
    }

    @Test
    void anotherWritersEventsAreSeen() {
        try (LedgerWriter other = SampleWriterTasks.writer(ledger)) {
            submit(writer, "ops", propose("p1", "e1")).join();
            submit(other, "ops", fulfil("p1", "alice")).join();
            assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("closed");
        }
    }

    @Test
    void aSmallCacheOnlyMeansMoreReading() {
        try (LedgerWriter forgetful = new LedgerWriter(
                ledger, () -> NOW, new WriterOptions(1000, 1 << 20, 10, 1 << 20, 0, Duration.ofSeconds(1)))) {
            IntStream.range(0, 50).forEach(i -> forgetful.submit("ops", propose("p" + i, "e" + i), writeResult -> {}));
            List<CompletableFuture<WriteResult<String>>> outcomes = IntStream.range(0, 100)
                    .mapToObj(i -> submit(forgetful, "ops", fulfil("p" + i % 50, "alice")))
                    .toList();
            assertThat(outcomes.stream()
                            .map(LedgerWriterTest::result)
                            .filter("fulfilled"::equals)
                            .count())
                    .isEqualTo(50);
        }
    }

    @Test
    void rebuildingGivesTheSummariesTheWriterWrote() {
        for (int i = 0; i < 40; i++) {
            submit(writer, "ops", propose("p" + i, "e" + i)).join();
            if (i % 3 == 0) {
                submit(writer, "ops", fulfil("p" + i, "alice")).join();
            }
        }
        List<SubjectSummary> written =
                ledger.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        assertThat(ledger.rebuildSummaries(SampleWriterTasks::summarise)).isEqualTo(40);
        assertThat(ledger.subjects(SubjectQuery.of("ops"), null, 100).subjects())
                .isEqualTo(written);
    }

    @Test
    void theMeasuresCountWhatWasDone() {
        inOneBatch(List.of(propose("p1", "e1"), propose("p2", "e2"), propose("p1", "e1")))
                .forEach(CompletableFuture::join);
        writer.close();
        WriterMetricsSnapshot writerMetricsSnapshot = writer.metrics();
        assertThat(writerMetricsSnapshot.events()).isEqualTo(2);
        assertThat(writerMetricsSnapshot.commits()).isEqualTo(1);
        assertThat(writerMetricsSnapshot.tasks()).isEqualTo(4);
        assertThat(writerMetricsSnapshot.failedCommits()).isZero();
        assertThat(writerMetricsSnapshot.commitTime())
                .isEqualTo(writerMetricsSnapshot.longestCommit())
                .isPositive();
        assertThat(writerMetricsSnapshot.queuedTasks()).isZero();
    }

    /** Has all tasks decided in one batch: they are queued while the writer is blocked. */
    private List<CompletableFuture<WriteResult<String>>> inOneBatch(List<WriterTask<String>> tasks) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        writer.submit("ops", waiting(begun, proceed), writeResult -> {});
        await(begun);
        List<CompletableFuture<WriteResult<String>>> outcomes =
                tasks.stream().map(task -> submit(writer, "ops", task)).toList();
        proceed.countDown();
        outcomes.forEach(CompletableFuture::join);
        return outcomes;
    }

    private static WriterTask<String> waiting(CountDownLatch begun, CountDownLatch proceed) {
        return writerTaskContext -> {
            begun.countDown();
            await(proceed);
            return TaskDecision.withoutEvents("waited");
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String result(CompletableFuture<WriteResult<String>> writeResult) {
        return result(writeResult.join());
    }

    private static String result(WriteResult<String> writeResult) {
        return switch (writeResult) {
            case WriteResult.Written<String>(String result, List<LedgerEvent> events) -> result;
            case WriteResult.Failed<String>(Throwable cause) -> throw new AssertionError(cause);
            case WriteResult.Unavailable<String>(String reason, Duration retryAfter) ->
                throw new AssertionError(reason);
        };
    }
}
