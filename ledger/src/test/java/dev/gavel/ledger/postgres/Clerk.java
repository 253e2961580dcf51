package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
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
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * One of several that work on the same proposals: each proposes and fulfils all of them, and of all their tries one may
 * succeed. As a program it prints what succeeded once that is durable.
 */
final class Clerk implements AutoCloseable {
    private static final String STREAM = "ops";

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
    static Process start(String name, String url, int proposals) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Clerk.class.getName(),
                        name,
                        url,
                        Integer.toString(proposals))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) {
        try (Clerk clerk = new Clerk(arguments[0], arguments[1])) {
            clerk.work(Integer.parseInt(arguments[2]), done -> {
                System.out.println(done + ";");
                System.out.flush();
            });
        }
    }

    /** Tries to propose and to fulfil each of so many proposals, and tells what succeeded; returns when all is told. */
    void work(int proposals, Consumer<String> succeeded) {
        Semaphore room = new Semaphore(20);
        for (int i = 0; i < proposals; i++) {
            String subject = "p" + i;
            submit(room, propose(subject), succeeded);
            submit(room, fulfil(subject), succeeded);
        }
        room.acquireUninterruptibly(20);
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

    private Task<String> propose(String subject) {
        return view -> {
            if (view.byReference(subject).isPresent()) {
                return Decided.nothing("");
            }
            Event event = view.event(subject, "proposed", name, subject, Body.of("{}"));
            return Decided.one("proposed " + subject, event, summary(event, true));
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
            return Decided.one("fulfilled " + subject, event, summary(event, false));
        };
    }

    private static Summary summary(Event last, boolean open) {
        return new Summary(
                last.stream(),
                last.subject(),
                open ? "open" : "fulfilled",
                open,
                "clerk",
                null,
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
