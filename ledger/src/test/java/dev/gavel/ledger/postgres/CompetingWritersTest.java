package dev.gavel.ledger.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.audit.HashChainVerifier;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that processes competing for the same proposals end each proposal once while the PostgreSQL server is stopped
 * and started.
 */
class CompetingWritersTest {
    private static final TestPostgresServer SERVER = TestPostgresServer.shared();

    @Test
    void manyWritersRacingDoEverythingOnceWhileTheirConnectionsAreKilled() throws Exception {
        String url = SERVER.freshDatabase();
        AtomicBoolean finished = new AtomicBoolean();
        Queue<String> successes = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newCachedThreadPool();
                CompetingWriter one = new CompetingWriter("one", url);
                CompetingWriter two = new CompetingWriter("two", url);
                CompetingWriter three = new CompetingWriter("three", url)) {
            Future<Long> killTask = threads.submit(() -> {
                long killed = 0;
                int before = 0;
                while (!finished.get()) {
                    // Not so often that the writers make no progress on a slow machine.
                    if (successes.size() >= before + 8) {
                        before = successes.size();
                        killed += SERVER.killConnections(url);
                    }
                    LockSupport.parkNanos(1_000_000);
                }
                return killed;
            });
            try {
                List<CompetingWriter> competingWriters = List.of(one, two, three);
                inParallel(threads, 3, i -> competingWriters.get(i).work(100, 30 * i, successes::add));
            } finally {
                finished.set(true);
            }
            assertThat(killTask.get()).isPositive();
        }
        check(url, 100, successes);
    }

    @Test
    void processesRacingDoEverythingOnceAndOneThatIsKilledLosesNothingAcknowledged() throws Exception {
        String url = SERVER.freshDatabase();
        List<Process> processes = new ArrayList<>();
        List<BufferedReader> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // Each process starts at another proposal, so that each has work, whichever is faster.
            Process process = CompetingWriter.start("clerk" + i, url, 120, 40 * i);
            processes.add(process);
            answers.add(new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)));
        }
        for (BufferedReader each : answers) {
            assertThat(each.readLine()).isEqualTo("ready;");
        }
        Queue<String> successes = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Integer>> readTasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Process process = processes.get(i);
            BufferedReader lines = answers.get(i);
            int maxLines = i == 0 ? 10 : Integer.MAX_VALUE;
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            readTasks.add(CompletableFuture.supplyAsync(
                    () -> read(process, lines, maxLines, successes),
                    task -> Thread.ofVirtual().start(task)));
        }
        for (CompletableFuture<Integer> each : readTasks) {
            assertThat(each.get()).isGreaterThanOrEqualTo(10);
        }
        assertThat(processes.get(0).waitFor()).isEqualTo(128 + 9);
        for (Process process : processes.subList(1, 3)) {
            assertThat(process.waitFor()).isZero();
        }
        check(url, 120, successes);
    }

    @Test
    void aDatabaseThatIsStoppedAndStartedLosesNothingAndDoublesNothing() throws Exception {
        Queue<String> successes = new ConcurrentLinkedQueue<>();
        String url = SERVER.freshDatabase();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicBoolean finished = new AtomicBoolean();
            Future<?> restartTask = threads.submit(() -> {
                for (int i = 0; i < 2; i++) {
                    int maxLines = 60 * (i + 1);
                    while (successes.size() < maxLines && !finished.get()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    SERVER.stop();
                    SERVER.startAgain();
                }
            });
            try (CompetingWriter one = new CompetingWriter("one", url);
                    CompetingWriter two = new CompetingWriter("two", url)) {
                List<CompetingWriter> competingWriters = List.of(one, two);
                inParallel(threads, 2, i -> competingWriters.get(i).work(150, 75 * i, successes::add));
            } finally {
                finished.set(true);
            }
            restartTask.get();
        }
        check(url, 150, successes);
    }

    @Test
    void eightThatOpenAtOnceMakeOneSchema() throws Exception {
        String url = SERVER.freshDatabase();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            inParallel(threads, 8, i -> TestPostgresLedgers.shared(url).close());
        }
        assertThat(SERVER.execute(url, "SELECT count(*) FROM gavel_schema"))
                .isEqualTo(PostgresMigrations.ALL.scripts().size());
    }

    @FunctionalInterface
    private interface Work {
        void run(int number) throws Exception;
    }

    private static void inParallel(ExecutorService threads, int many, Work work) throws Exception {
        List<Future<?>> all = IntStream.range(0, many)
                .<Future<?>>mapToObj(i -> threads.submit(() -> {
                    work.run(i);
                    return i;
                }))
                .toList();
        for (Future<?> each : all) {
            each.get();
        }
    }

    /**
     * Reads the output of a process until it ends, and kills the process after enough lines. Returns the number of
     * lines.
     */
    private static int read(Process process, BufferedReader lines, int maxLines, Queue<String> successes) {
        int read = 0;
        try (lines) {
            @Nullable String line = lines.readLine();
            while (line != null) {
                // The last line may be incomplete when the process is killed.
                if (line.endsWith(";")) {
                    successes.add(line.substring(0, line.length() - 1));
                    read++;
                }
                if (read == maxLines) {
                    process.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
            return read;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Every event was written once, without gaps, and exactly one process reported each success, even if others were
     * killed.
     */
    private static void check(String url, int proposals, Collection<String> successes) {
        try (PostgresLedger ledger = TestPostgresLedgers.shared(url)) {
            List<LedgerEvent> events = new ArrayList<>();
            ledger.export(each -> events.add(each.event()));
            assertThat(events)
                    .extracting(LedgerEvent::seq)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 2L * proposals).boxed().toList());
            List<String> writtenEvents = events.stream()
                    .map(event -> event.type() + " " + event.subject())
                    .toList();
            assertThat(writtenEvents).doesNotHaveDuplicates().containsAll(successes);
            assertThat(successes).doesNotHaveDuplicates();
            for (int i = 0; i < proposals; i++) {
                assertThat(ledger.history("ops", "p" + i))
                        .extracting(LedgerEvent::type)
                        .hasSize(2)
                        .startsWith("proposed")
                        .endsWith(ledger.summary("ops", "p" + i).orElseThrow().state());
            }
            assertThat(writtenEvents)
                    .containsAll(ends(proposals, "fulfilled", number -> !CompetingWriter.canExpire(number)))
                    .containsAll(ends(proposals, "expired", number -> !CompetingWriter.canBeFulfilled(number)));
            assertThat(HashChainVerifier.verify(ledger, "ops", List.of(), () -> {})
                            .findings())
                    .isEmpty();
            assertThat(ledger.missingStreamCount()).isZero();
        }
    }

    private static List<String> ends(int proposals, String type, IntPredicate which) {
        return IntStream.range(0, proposals)
                .filter(which)
                .mapToObj(number -> type + " p" + number)
                .toList();
    }
}
