package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** A test program that writes events without pause and prints each reference once it is durable, until it is killed. */
final class EndlessWriterProgram {
    private EndlessWriterProgram() {}

    /** Starts a separate process; its log output goes to that of the test. */
    static Process start(Path file, int run) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndlessWriterProgram.class.getName(),
                        file.toString(),
                        Integer.toString(run))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    public static void main(String[] arguments) {
        SqliteLedger ledger = SampleWriterTasks.open(Path.of(arguments[0]));
        LedgerWriter writer = SampleWriterTasks.writer(ledger);
        Semaphore permits = new Semaphore(200);
        for (int i = 0; ; i++) {
            // Each subject has four events, so summaries are updated as well as inserted.
            String subject = arguments[1] + "-" + i / 4;
            String reference = arguments[1] + "-" + i + ";";
            permits.acquireUninterruptibly();
            WriterTask<String> task = writerTaskContext -> {
                LedgerEvent event =
                        writerTaskContext.createEvent(subject, "told", "scribe", reference, LedgerBody.of("{}"));
                return TaskDecision.ofEvent(reference, event, SampleWriterTasks.open(event));
            };
            writer.submit("ops", task, writeResult -> {
                if (writeResult instanceof WriteResult.Written<String> written) {
                    System.out.println(written.result());
                }
                permits.release();
            });
        }
    }
}
