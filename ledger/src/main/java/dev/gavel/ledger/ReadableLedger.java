package dev.gavel.ledger;

import java.util.function.Consumer;

/** A ledger that is open for reading and can be exported event by event. Thread-safe. */
public interface ReadableLedger extends LedgerReader, AutoCloseable {
    /**
     * Passes every event that was durable at the time of the call, and is not pruned, to {@code sink}; the events of
     * each stream in order.
     */
    void export(Consumer<? super ExportedEvent> sink);

    /** Closes the ledger; everything in it stays stored. */
    @Override
    void close();
}
