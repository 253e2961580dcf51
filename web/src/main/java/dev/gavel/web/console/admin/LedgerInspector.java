package dev.gavel.web.console.admin;

import dev.gavel.ledger.RetainedStreamRange;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Shows admins where the ledger is stored and what it contains, and verifies it in the background. Thread-safe; nothing
 * of it keeps an event loop waiting.
 */
public interface LedgerInspector {
    /** Where it is kept, in words. */
    String location();

    /** The file it is in, where it is in one. */
    Optional<Path> file();

    /** Whether it can be written to now. */
    boolean writable();

    /** What is kept now. */
    CompletionStage<LedgerContents> loadContents();

    /**
     * Begins to verify all of it, beside whoever writes; one at a time.
     *
     * @param by who wants it
     * @return whether it began: not where one is running
     */
    boolean startVerification(String by);

    /** The verification that runs, or else the last one of this process. */
    Optional<LedgerVerification> lastVerification();

    /**
     * What is kept.
     *
     * @param bytes how large it is on the disk
     */
    record LedgerContents(List<StreamExtent> streams, long bytes) {
        public LedgerContents {
            streams = List.copyOf(streams);
        }
    }

    /** How far a stream reaches. */
    record StreamExtent(String stream, RetainedStreamRange retainedStreamRange) {}
}
