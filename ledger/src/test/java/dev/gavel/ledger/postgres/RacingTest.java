package dev.gavel.ledger.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.audit.Audit;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many work on the same proposals while the database is taken away from them: each is proposed and fulfilled once. */
class RacingTest {
    private static final PostgresServer SERVER = PostgresServer.shared();

    @Test
    void manyWritersRacingDoEverythingOnceWhileTheirConnectionsAreKilled() throws Exception {
        String url = SERVER.freshDatabase();
        AtomicBoolean over = new AtomicBoolean();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Clerk one = new Clerk("one", url);
                Clerk two = new Clerk("two", url);
                Clerk three = new Clerk("three", url)) {
            Future<Long> killing = threads.submit(() -> {
                long killed = 0;
                int before = 0;
                while (!over.get()) {
                    // Not so often that nobody gets anywhere, however slow the machine.
                    if (told.size() >= before + 8) {
                        before = told.size();
                        killed += SERVER.killConnections(url);
                    }
                    LockSupport.parkNanos(1_000_000);
                }
                return killed;
            });
            try {
                List<Clerk> clerks = List.of(one, two, three);
                inParallel(threads, 3, i -> clerks.get(i).work(100, told::add));
            } finally {
                over.set(true);
            }
            assertThat(killing.get()).isPositive();
        }
        check(url, 100, told);
    }

    @Test
    void processesRacingDoEverythingOnceAndOneThatIsKilledLosesNothingAcknowledged() throws Exception {
        String url = SERVER.freshDatabase();
        List<Process> processes = new ArrayList<>();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> reading = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Process process = Clerk.start("clerk" + i, url, 120);
            processes.add(process);
            boolean killed = i == 0;
            reading.add(CompletableFuture.runAsync(
                    () -> read(process, killed ? 20 : Integer.MAX_VALUE, told),
                    task -> Thread.ofVirtual().start(task)));
        }
        reading.forEach(CompletableFuture::join);
        for (Process process : processes.subList(1, 3)) {
            assertThat(process.waitFor()).isZero();
        }
        check(url, 120, null);
        try (PostgresLedger ledger = PostgresLedgers.shared(url)) {
            for (String each : told) {
                String[] words = each.split(" ", -1);
                assertThat(ledger.history("ops", words[1]))
                        .filteredOn(event -> event.type().equals(words[0]))
                        .hasSize(1);
            }
        }
    }

    @Test
    void aDatabaseThatIsStoppedAndStartedLosesNothingAndDoublesNothing() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        String url = SERVER.freshDatabase();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicBoolean over = new AtomicBoolean();
            Future<?> restarting = threads.submit(() -> {
                for (int i = 0; i < 2; i++) {
                    int enough = 60 * (i + 1);
                    while (told.size() < enough && !over.get()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    SERVER.stop();
                    SERVER.startAgain();
                }
            });
            try (Clerk one = new Clerk("one", url);
                    Clerk two = new Clerk("two", url)) {
                List<Clerk> clerks = List.of(one, two);
                inParallel(threads, 2, i -> clerks.get(i).work(150, told::add));
            } finally {
                over.set(true);
            }
            restarting.get();
        }
        check(url, 150, told);
    }

    @Test
    void eightThatOpenAtOnceMakeOneSchema() throws Exception {
        String url = SERVER.freshDatabase();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            inParallel(threads, 8, i -> PostgresLedgers.shared(url).close());
        }
        assertThat(SERVER.execute(url, "SELECT count(*) FROM gavel_schema"))
                .isEqualTo(Migrations.ALL.scripts().size());
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

    private static void read(Process process, int enough, Queue<String> told) {
        int read = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            @Nullable String line = lines.readLine();
            while (line != null) {
                // What was being printed when it was killed may have been cut.
                if (line.endsWith(";")) {
                    told.add(line.substring(0, line.length() - 1));
                    read++;
                }
                if (read == enough) {
                    process.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Everything happened once, in a row without gaps, and the one who was told so is the one who did it. */
    private static void check(String url, int proposals, @Nullable Collection<String> told) {
        try (PostgresLedger ledger = PostgresLedgers.shared(url)) {
            List<Event> events = new ArrayList<>();
            ledger.export(each -> events.add(each.event()));
            assertThat(events)
                    .extracting(Event::seq)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 2L * proposals).boxed().toList());
            List<String> happened = events.stream()
                    .map(event -> event.type() + " " + event.subject())
                    .toList();
            assertThat(happened).doesNotHaveDuplicates();
            if (told != null) {
                assertThat(told).doesNotHaveDuplicates();
                assertThat(happened).containsAll(told);
            }
            assertThat(Audit.verify(ledger, "ops", List.of(), () -> {}).findings())
                    .isEmpty();
            assertThat(ledger.lostStreams()).isZero();
        }
    }
}
