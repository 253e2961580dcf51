package dev.gavel.web.console.admin;

import dev.gavel.ledger.RetainedStreamRange;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The interface through which the console's ledger page reads the ledger's location and contents and starts its
 * verification. Thread-safe; no method blocks an event loop.
 */
public interface LedgerInspector {
    /** Where the ledger is stored, as text. */
    String location();

    /** The file in which the ledger is stored, if it is stored in a file. */
    Optional<Path> file();

    /** Whether the ledger can be written to now. */
    boolean writable();

    /** Loads the current contents of the ledger. */
    CompletionStage<LedgerContents> loadContents();

    /**
     * Starts a verification of the whole ledger while the ledger writer continues. Only one verification runs at a
     * time.
     *
     * @param by the id of the admin who requests it
     * @return whether the verification started; false if another one is running
     */
    boolean startVerification(String by);

    /** The running verification, or else the last one of this process. */
    Optional<LedgerVerificationStatus> lastVerification();

    /**
     * The contents of the ledger.
     *
     * @param bytes the size on disk
     */
    record LedgerContents(List<StreamExtent> streams, long bytes) {
        public LedgerContents {
            streams = List.copyOf(streams);
        }
    }

    /** A stream and the range of events that the ledger retains of it. */
    record StreamExtent(String stream, RetainedStreamRange retainedStreamRange) {}
}
