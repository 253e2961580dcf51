package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.Desk.NOW;
import static dev.gavel.ledger.writer.Desk.fulfil;
import static dev.gavel.ledger.writer.Desk.propose;
import static dev.gavel.ledger.writer.Desk.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
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
        ledger = Desk.open(directory.resolve("ledger.db"));
        writer = Desk.writer(ledger);
    }

    @AfterEach
    void close() {
        writer.close();
        ledger.close();
    }

    @Test
    void whatIsToldIsDurable() {
        CompletableFuture<List<Event>> found = new CompletableFuture<>();
        writer.submit("ops", propose("p1", "e1"), outcome -> found.complete(ledger.history("ops", "p1")));
        Event event = new Event("ops", 1, NOW, "p1", "proposed", "agent", "e1", Body.of("{}"));
        assertThat(found.join()).containsExactly(event);
        assertThat(submit(writer, "ops", fulfil("p1", "alice")).join())
                .isEqualTo(new Outcome.Written<>(
                        "fulfilled",
                        List.of(new Event("ops", 2, NOW, "p1", "fulfilled", "alice", "alice/p1", Body.of("{}")))));
        assertThat(ledger.summary("ops", "p1")).map(Summary::state).contains("fulfilled");
    }

    @Test
    void aTaskSeesWhatTheSameBatchHasDecided() {
        List<CompletableFuture<Outcome<String>>> outcomes = inOneBatch(
                List.of(propose("p1", "e1"), propose("p1", "e1"), fulfil("p1", "alice"), fulfil("p1", "bob")));
        assertThat(outcomes.stream().map(LedgerWriterTest::result))
                .containsExactly("proposed", "again", "fulfilled", "closed");
        assertThat(ledger.history("ops", "p1")).extracting(Event::seq).containsExactly(1L, 2L);
        assertThat(writer.measures().largestBatch()).isEqualTo(2);
    }

    @Test
    void aViewShowsDurableAndQueuedAlike() {
        submit(writer, "ops", propose("p1", "e1")).join();
        submit(writer, "ops", propose("p2", "e2")).join();
        List<CompletableFuture<Outcome<String>>> outcomes =
                inOneBatch(List.of(fulfil("p1", "alice"), propose("p3", "e3"), view -> {
                    assertThat(view.stream()).isEqualTo("ops");
                    assertThat(view.now()).isEqualTo(NOW);
                    assertThat(view.history("p1")).extracting(Event::type).containsExactly("proposed", "fulfilled");
                    assertThat(view.history("p3")).extracting(Event::seq).containsExactly(4L);
                    assertThat(view.history("p4")).isEmpty();
                    assertThat(view.summary("p4")).isEmpty();
                    assertThat(view.byReference("e1")).map(Event::seq).contains(1L);
                    assertThat(view.byReference("e3")).map(Event::seq).contains(4L);
                    assertThat(view.byReference("e4")).isEmpty();
                    assertThat(view.open()).extracting(Summary::subject).containsExactly("p2", "p3");
                    return Decided.nothing("seen");
                }));
        assertThat(outcomes.stream().map(LedgerWriterTest::result)).containsExactly("fulfilled", "proposed", "seen");
    }

    @Test
    void aProposalIsFulfilledAtMostOnceHoweverManyTry() throws InterruptedException {
        int proposals = 50;
        int rivals = 8;
        IntStream.range(0, proposals).forEach(i -> writer.submit("ops", propose("p" + i, "e" + i), outcome -> {}));
        AtomicInteger winners = new AtomicInteger();
        CountDownLatch told = new CountDownLatch(proposals * rivals);
        List<Thread> threads = IntStream.range(0, rivals)
                .mapToObj(rival -> Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < proposals; i++) {
                        writer.submit("ops", fulfil("p" + i, "rival" + rival), outcome -> {
                            if (result(outcome).equals("fulfilled")) {
                                winners.incrementAndGet();
                            }
                            told.countDown();
                        });
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        told.await();
        assertThat(winners).hasValue(proposals);
        for (int i = 0; i < proposals; i++) {
            assertThat(ledger.history("ops", "p" + i)).extracting(Event::type).containsExactly("proposed", "fulfilled");
        }
        assertThat(ledger.extent("ops")).isEqualTo(new Extent(1, 2L * proposals));
    }

    @Test
    void tasksAreToldInTheOrderTheyWereSubmitted() {
        List<Integer> told = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            Task<String> task = i % 3 == 0 ? view -> Decided.nothing("nothing") : propose("p" + i, "e" + i);
            writer.submit(i % 2 == 0 ? "ops" : "seps", task, outcome -> {
                told.add(number);
                if (outcome instanceof Outcome.Written<String> written) {
                    written.events().stream()
                            .filter(event -> event.stream().equals("ops"))
                            .forEach(event -> seqs.add(event.seq()));
                }
            });
        }
        writer.close();
        assertThat(told)
                .containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
        assertThat(seqs)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, seqs.size()).boxed().toList());
    }

    @Test
    void aTaskThatThrowsFailsAlone() {
        List<CompletableFuture<Outcome<String>>> outcomes = inOneBatch(List.of(
                propose("p1", "e1"),
                view -> {
                    view.event("p2", "proposed", "agent", "e2", Body.of("{}"));
                    throw new UnsupportedOperationException("no");
                },
                view -> {
                    throw new StackOverflowError();
                },
                propose("p3", "e3")));
        assertThat(outcomes.get(1).join()).isInstanceOf(Outcome.Failed.class);
        assertThat(outcomes.get(2).join()).isInstanceOf(Outcome.Failed.class);
        assertThat(result(outcomes.get(3))).isEqualTo("proposed");
        assertThat(ledger.history("ops", "p2")).isEmpty();
        assertThat(ledger.history("ops", "p3")).extracting(Event::seq).containsExactly(2L);
    }

    @Test
    void whatCannotBeWrittenFailsAlone() {
        submit(writer, "ops", propose("p1", "e1")).join();
        List<Task<String>> wrong = List.of(
                // A reference used before.
                view -> {
                    Event event = view.event("p2", "proposed", "agent", "e1", Body.of("{}"));
                    return Decided.one("", event, Desk.open(event));
                },
                // An event made and left out.
                view -> {
                    view.event("p2", "proposed", "agent", "e2", Body.of("{}"));
                    Event event = view.event("p2", "told", "agent", null, Body.of("{}"));
                    return Decided.one("", event, Desk.open(event));
                },
                // No summary.
                view -> new Decided<>(
                        "", List.of(view.event("p2", "proposed", "agent", "e2", Body.of("{}"))), List.of()),
                // A summary of something else.
                view -> Decided.one(
                        "",
                        view.event("p2", "proposed", "agent", "e2", Body.of("{}")),
                        Desk.open(ledger.history("ops", "p1").getFirst())),
                // A summary of nothing.
                view -> new Decided<>("", List.of(), List.of(view.summary("p1").orElseThrow())),
                // The same reference twice.
                view -> {
                    Event one = view.event("p2", "proposed", "agent", "e2", Body.of("{}"));
                    Event two = view.event("p2", "told", "agent", "e2", Body.of("{}"));
                    return new Decided<>("", List.of(one, two), List.of(Desk.open(two)));
                });
        List<Task<String>> all = new ArrayList<>(wrong);
        all.add(propose("p3", "e3"));
        List<CompletableFuture<Outcome<String>>> outcomes = inOneBatch(all);
        assertThat(outcomes.subList(0, wrong.size()))
                .allSatisfy(outcome -> assertThat(outcome.join()).isInstanceOf(Outcome.Failed.class));
        assertThat(result(outcomes.getLast())).isEqualTo("proposed");
        assertThat(ledger.extent("ops").last()).isEqualTo(2);
    }

    @Test
    void whatFollowsAWriteMayFailWithoutHarmToTheNext() {
        writer.submit("ops", propose("p1", "e1"), outcome -> {
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
            small.submit("ops", waiting(begun, proceed), outcome -> {});
            await(begun);
            CompletableFuture<Outcome<String>> second = submit(small, "ops", propose("p2", "e2"));
            CompletableFuture<Outcome<String>> third = submit(small, "ops", propose("p3", "e3"));
            CompletableFuture<Outcome<String>> fourth = submit(small, "ops", propose("p4", "e4"));
            assertThat(fourth)
                    .isCompletedWithValueMatching(outcome ->
                            outcome instanceof Outcome.Unavailable<String>(String reason, Duration retryAfter)
                                    && reason.contains("more to write")
                                    && retryAfter.equals(Duration.ofSeconds(3)));
            assertThat(small.measures().waiting()).isEqualTo(2);
            assertThat(small.measures().refused()).isEqualTo(1);
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
            small.submit("ops", waiting(begun, proceed), outcome -> {});
            await(begun);
            CompletableFuture<Outcome<String>> large = new CompletableFuture<>();
            small.submit("ops", 5000, propose("p2", "e2"), large::complete);
            CompletableFuture<Outcome<String>> refused = new CompletableFuture<>();
            small.submit("ops", 1, propose("p3", "e3"), refused::complete);
            assertThat(refused).isCompletedWithValueMatching(outcome -> outcome instanceof Outcome.Unavailable);
            proceed.countDown();
            assertThat(result(large)).isEqualTo("proposed");
        }
    }

    @Test
    void closingDoesNotWaitForEverForThoseThatWait() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        writer.submit("ops", waiting(begun, proceed), outcome -> {});
        await(begun);
        CompletableFuture<Outcome<String>> second = submit(writer, "ops", propose("p2", "e2"));
        // Told while the first is still being decided; only that one is waited for.
        CompletableFuture<Void> told = second.thenAccept(outcome -> proceed.countDown());
        writer.close(Duration.ofMillis(10));
        told.join();
        assertThat(second.join()).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void closingTellsAllThatWereTakenAndTakesNoMore() {
        List<CompletableFuture<Outcome<String>>> outcomes = IntStream.range(0, 300)
                .mapToObj(i -> submit(writer, "ops", propose("p" + i, "e" + i)))
                .toList();
        writer.close();
        assertThat(outcomes).allMatch(CompletableFuture::isDone);
        assertThat(outcomes.stream().map(LedgerWriterTest::result)).containsOnly("proposed");
        assertThat(submit(writer, "ops", propose("q", "q")).join()).isInstanceOf(Outcome.Unavailable.class);
        assertThat(ledger.extent("ops").last()).isEqualTo(300);
    }

    @Test
    void whatIsPrunedIsForgottenByTheWriterToo() {
        submit(writer, "ops", propose("p1", "e1")).join();
        submit(writer, "ops", fulfil("p1", "alice")).join();
        assertThat(ledger.prune(Instant.MAX, 10)).isEqualTo(1);
        assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("unknown");
        assertThat(result(submit(writer, "ops", propose("p1", "e1")))).isEqualTo("proposed");
        assertThat(ledger.history("ops", "p1")).extracting(Event::seq).containsExactly(3L);
    }

    @Test
    void anotherWritersEventsAreSeen() {
        try (LedgerWriter other = Desk.writer(ledger)) {
            submit(writer, "ops", propose("p1", "e1")).join();
            submit(other, "ops", fulfil("p1", "alice")).join();
            assertThat(result(submit(writer, "ops", fulfil("p1", "bob")))).isEqualTo("closed");
        }
    }

    @Test
    void aSmallCacheOnlyMeansMoreReading() {
        try (LedgerWriter forgetful = new LedgerWriter(
                ledger, () -> NOW, new WriterOptions(1000, 1 << 20, 10, 1 << 20, 0, Duration.ofSeconds(1)))) {
            IntStream.range(0, 50).forEach(i -> forgetful.submit("ops", propose("p" + i, "e" + i), outcome -> {}));
            List<CompletableFuture<Outcome<String>>> outcomes = IntStream.range(0, 100)
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
        List<Summary> written =
                ledger.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        assertThat(ledger.rebuild(Desk::summarise)).isEqualTo(40);
        assertThat(ledger.subjects(SubjectQuery.of("ops"), null, 100).subjects())
                .isEqualTo(written);
    }

    @Test
    void theMeasuresCountWhatWasDone() {
        inOneBatch(List.of(propose("p1", "e1"), propose("p2", "e2"), propose("p1", "e1")))
                .forEach(CompletableFuture::join);
        writer.close();
        Measures measures = writer.measures();
        assertThat(measures.events()).isEqualTo(2);
        assertThat(measures.commits()).isEqualTo(1);
        assertThat(measures.tasks()).isEqualTo(4);
        assertThat(measures.failedCommits()).isZero();
        assertThat(measures.commitTime()).isEqualTo(measures.longestCommit()).isPositive();
        assertThat(measures.waiting()).isZero();
    }

    /** Has all tasks decided together: they gather while the writer is held up. */
    private List<CompletableFuture<Outcome<String>>> inOneBatch(List<Task<String>> tasks) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        writer.submit("ops", waiting(begun, proceed), outcome -> {});
        await(begun);
        List<CompletableFuture<Outcome<String>>> outcomes =
                tasks.stream().map(task -> submit(writer, "ops", task)).toList();
        proceed.countDown();
        outcomes.forEach(CompletableFuture::join);
        return outcomes;
    }

    private static Task<String> waiting(CountDownLatch begun, CountDownLatch proceed) {
        return view -> {
            begun.countDown();
            await(proceed);
            return Decided.nothing("waited");
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String result(CompletableFuture<Outcome<String>> outcome) {
        return result(outcome.join());
    }

    private static String result(Outcome<String> outcome) {
        return switch (outcome) {
            case Outcome.Written<String>(String result, List<Event> events) -> result;
            case Outcome.Failed<String>(Throwable cause) -> throw new AssertionError(cause);
            case Outcome.Unavailable<String>(String reason, Duration retryAfter) -> throw new AssertionError(reason);
        };
    }
}
