package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.Task;
import dev.gavel.ledger.writer.WriterOptions;
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
 * One of several that work on the same proposals: each proposes all of them and ends them, and of all their tries one may
 * succeed. Some can only be fulfilled, some only expire, and some do what comes first. As a program it says that it is
 * ready, begins when it is told anything, and prints what succeeded once that is durable.
 */
final class Clerk implements AutoCloseable {
    private static final String STREAM = "ops";
    private static final int ROOM = 20;
    private static final int SWEEP = 10;

    private final String name;
    private final PostgresLedger ledger;
    private final LedgerWriter writer;
    private volatile boolean closed;

    Clerk(String name, String url) {
        this.name = name;
        this.ledger = PostgresLedgers.shared(url);
        this.writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT);
    }

    /** Starts one as a process of its own; what it says of itself goes where ours does. */
    static Process start(String name, String url, int proposals, int first) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Clerk.class.getName(),
                        name,
                        url,
                        Integer.toString(proposals),
                        Integer.toString(first))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) throws IOException {
        try (Clerk clerk = new Clerk(arguments[0], arguments[1])) {
            say("ready");
            System.in.read();
            clerk.work(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), Clerk::say);
        }
    }

    private static void say(String what) {
        System.out.println(what + ";");
        System.out.flush();
    }

    static boolean canBeFulfilled(int number) {
        return number % 3 != 0;
    }

    static boolean canExpire(int number) {
        return number % 3 != 1;
    }

    /** Tries to propose and to end each of so many proposals, and tells what succeeded; returns when all is told. */
    void work(int proposals, int first, Consumer<String> succeeded) {
        Semaphore room = new Semaphore(ROOM);
        for (int i = 0; i < proposals; i++) {
            int number = (first + i) % proposals;
            submit(room, propose(number), succeeded);
            if (canBeFulfilled(number)) {
                submit(room, fulfil("p" + number), succeeded);
            }
            if (i % SWEEP == 0) {
                sweep(room, succeeded);
            }
        }
        do {
            // What is under way may be due when it is written.
            room.acquireUninterruptibly(ROOM);
            room.release(ROOM);
        } while (sweep(room, succeeded));
    }

    /** Has everything expire whose time is over; whether there was anything. */
    private boolean sweep(Semaphore room, Consumer<String> succeeded) {
        try {
            List<Summary> due = ledger.due(STREAM, Instant.EPOCH, SWEEP);
            due.forEach(each -> submit(room, expire(each.subject()), succeeded));
            return !due.isEmpty();
        } catch (LedgerFailure e) {
            // The database is away; nobody knows.
            return !closed;
        }
    }

    private void submit(Semaphore room, Task<String> task, Consumer<String> succeeded) {
        room.acquireUninterruptibly();
        submit(task, succeeded, room::release);
    }

    private void submit(Task<String> task, Consumer<String> succeeded, Runnable then) {
        writer.submit(STREAM, task, outcome -> {
            switch (outcome) {
                case Outcome.Written<String>(String result, var events) -> {
                    if (!events.isEmpty()) {
                        succeeded.accept(result);
                    }
                    then.run();
                }
                case Outcome.Failed<String>(Throwable cause) -> {
                    succeeded.accept("failed " + cause);
                    then.run();
                }
                // What may have been written all the same is found by its reference.
                case Outcome.Unavailable<String> unavailable -> {
                    if (closed) {
                        then.run();
                    } else {
                        submit(task, succeeded, then);
                    }
                }
            }
        });
    }

    private Task<String> propose(int number) {
        String subject = "p" + number;
        return view -> {
            if (view.byReference(subject).isPresent()) {
                return Decided.nothing("");
            }
            Event event = view.event(subject, "proposed", name, subject, Body.of("{}"));
            return Decided.one(
                    "proposed " + subject, event, summary(event, true, canExpire(number) ? Instant.EPOCH : null));
        };
    }

    private Task<String> fulfil(String subject) {
        return view -> {
            Optional<Summary> now = view.summary(subject);
            if (now.isEmpty() || !now.get().open()) {
                return Decided.nothing("");
            }
            // Under another reference each time: only the decision keeps it from being done twice.
            Event event = view.event(subject, "fulfilled", name, name + "/" + subject, Body.of("{}"));
            return Decided.one("fulfilled " + subject, event, summary(event, false, null));
        };
    }

    /** As the clock does it, whose events have no reference. */
    private Task<String> expire(String subject) {
        return view -> {
            Optional<Summary> now = view.summary(subject);
            if (now.isEmpty() || now.get().dueAt() == null) {
                return Decided.nothing("");
            }
            Event event = view.event(subject, "expired", name, null, Body.of("{}"));
            return Decided.one("expired " + subject, event, summary(event, false, null));
        };
    }

    private static Summary summary(Event last, boolean open, @Nullable Instant dueAt) {
        return new Summary(
                last.stream(),
                last.subject(),
                open ? "open" : last.type(),
                open,
                "clerk",
                dueAt,
                Instant.EPOCH,
                open ? null : last.at(),
                last.seq(),
                Body.of("{}"));
    }

    @Override
    public void close() {
        closed = true;
        writer.close();
        ledger.close();
    }
}
