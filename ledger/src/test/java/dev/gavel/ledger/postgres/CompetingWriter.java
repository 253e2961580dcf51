package dev.gavel.ledger.postgres;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.ledger.writer.WriterTask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A test program that proposes, fulfils and expires the same proposals as its competitors and prints what succeeded.
 * Some proposals can only be fulfilled, some can only expire, and some can do either. As a program it prints that it is
 * ready, starts when it reads any input, and prints each success once it is durable.
 */
final class CompetingWriter implements AutoCloseable {
    private static final String STREAM = "ops";
    private static final int MAX_IN_FLIGHT = 20;
    private static final int SWEEP_INTERVAL = 10;

    private final String name;
    private final PostgresLedger ledger;
    private final LedgerWriter writer;
    private volatile boolean closed;

    CompetingWriter(String name, String url) {
        this.name = name;
        this.ledger = TestPostgresLedgers.shared(url);
        this.writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT);
    }

    /** Starts a separate process; its log output goes to that of the test. */
    static Process start(String name, String url, int proposals, int first) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CompetingWriter.class.getName(),
                        name,
                        url,
                        Integer.toString(proposals),
                        Integer.toString(first))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) throws IOException {
        try (CompetingWriter competingWriter = new CompetingWriter(arguments[0], arguments[1])) {
            print("ready");
            System.in.read();
            competingWriter.work(
                    Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), CompetingWriter::print);
        }
    }

    private static void print(String text) {
        System.out.println(text + ";");
        System.out.flush();
    }

    static boolean canBeFulfilled(int number) {
        return number % 3 != 0;
    }

    static boolean canExpire(int number) {
        return number % 3 != 1;
    }

    /**
     * Tries to propose and to end each of {@code proposals} proposals and reports what succeeded. Returns after the
     * last report.
     */
    void work(int proposals, int first, Consumer<String> succeeded) {
        Semaphore permits = new Semaphore(MAX_IN_FLIGHT);
        for (int i = 0; i < proposals; i++) {
            int number = (first + i) % proposals;
            submit(permits, propose(number), succeeded);
            if (canBeFulfilled(number)) {
                submit(permits, fulfil("p" + number), succeeded);
            }
            if (i % SWEEP_INTERVAL == 0) {
                sweep(permits, succeeded);
            }
        }
        do {
            // Tasks in flight may be due by the time they are written.
            permits.acquireUninterruptibly(MAX_IN_FLIGHT);
            permits.release(MAX_IN_FLIGHT);
        } while (sweep(permits, succeeded));
    }

    /** Expires all due proposals; returns whether there were any. */
    private boolean sweep(Semaphore permits, Consumer<String> succeeded) {
        try {
            List<SubjectSummary> due = ledger.dueSubjects(STREAM, Instant.EPOCH, SWEEP_INTERVAL);
            due.forEach(each -> submit(permits, expire(each.subject()), succeeded));
            return !due.isEmpty();
        } catch (LedgerException e) {
            // The database is unavailable, so the answer is unknown.
            return !closed;
        }
    }

    private void submit(Semaphore permits, WriterTask<String> task, Consumer<String> succeeded) {
        permits.acquireUninterruptibly();
        submit(task, succeeded, permits::release);
    }

    private void submit(WriterTask<String> task, Consumer<String> succeeded, Runnable then) {
        writer.submit(STREAM, task, writeResult -> {
            switch (writeResult) {
                case WriteResult.Written<String>(String result, var events) -> {
                    if (!events.isEmpty()) {
                        succeeded.accept(result);
                    }
                    then.run();
                }
                case WriteResult.Failed<String>(Throwable cause) -> {
                    succeeded.accept("failed " + cause);
                    then.run();
                }
                // If the event was written after all, the retry finds it by its reference.
                case WriteResult.Unavailable<String> unavailable -> {
                    if (closed) {
                        then.run();
                    } else {
                        submit(task, succeeded, then);
                    }
                }
            }
        });
    }

    private WriterTask<String> propose(int number) {
        String subject = "p" + number;
        return writerTaskContext -> {
            if (writerTaskContext.findByReference(subject).isPresent()) {
                return TaskDecision.withoutEvents("");
            }
            LedgerEvent event = writerTaskContext.createEvent(subject, "proposed", name, subject, LedgerBody.of("{}"));
            return TaskDecision.ofEvent(
                    "proposed " + subject, event, summary(event, true, canExpire(number) ? Instant.EPOCH : null));
        };
    }

    private WriterTask<String> fulfil(String subject) {
        return writerTaskContext -> {
            Optional<SubjectSummary> current = writerTaskContext.summary(subject);
            if (current.isEmpty() || !current.get().open()) {
                return TaskDecision.withoutEvents("");
            }
            // Each attempt has a different reference: only the decision prevents a second fulfilment.
            LedgerEvent event = writerTaskContext.createEvent(
                    subject, "fulfilled", name, name + "/" + subject, LedgerBody.of("{}"));
            return TaskDecision.ofEvent("fulfilled " + subject, event, summary(event, false, null));
        };
    }

    /** Expires a proposal like the gateway's clock does, with an event that has no reference. */
    private WriterTask<String> expire(String subject) {
        return writerTaskContext -> {
            Optional<SubjectSummary> current = writerTaskContext.summary(subject);
            if (current.isEmpty() || current.get().dueAt() == null) {
                return TaskDecision.withoutEvents("");
            }
            LedgerEvent event = writerTaskContext.createEvent(subject, "expired", name, null, LedgerBody.of("{}"));
            return TaskDecision.ofEvent("expired " + subject, event, summary(event, false, null));
        };
    }

    private static SubjectSummary summary(LedgerEvent last, boolean open, @Nullable Instant dueAt) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                open ? "open" : last.type(),
                open,
                "clerk",
                dueAt,
                Instant.EPOCH,
                open ? null : last.at(),
                last.seq(),
                LedgerBody.of("{}"));
    }

    @Override
    public void close() {
        closed = true;
        writer.close();
        ledger.close();
    }
}
