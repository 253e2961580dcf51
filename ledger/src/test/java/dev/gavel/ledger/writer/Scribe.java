package dev.gavel.ledger.writer;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** A program that writes as fast as it can and prints the reference of every event once it is told that it is durable. */
final class Scribe {
    private Scribe() {}

    /** Starts it as a process of its own; what it says of itself goes where ours does. */
    static Process start(Path file, int life) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Scribe.class.getName(),
                        file.toString(),
                        Integer.toString(life))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) {
        SqliteLedger ledger = Desk.open(Path.of(arguments[0]));
        LedgerWriter writer = Desk.writer(ledger);
        Semaphore room = new Semaphore(200);
        for (int i = 0; ; i++) {
            // Every subject happens four times, so summaries are changed as well as made.
            String subject = arguments[1] + "-" + i / 4;
            String reference = arguments[1] + "-" + i + ";";
            room.acquireUninterruptibly();
            Task<String> task = view -> {
                Event event = view.event(subject, "told", "scribe", reference, Body.of("{}"));
                return Decided.one(reference, event, Desk.open(event));
            };
            writer.submit("ops", task, outcome -> {
                if (outcome instanceof Outcome.Written<String> written) {
                    System.out.println(written.result());
                }
                room.release();
            });
        }
    }
}
