package dev.gavel.ledger;

import java.util.function.Consumer;

/** A ledger that is open for reading and can be exported event by event. Thread-safe. */
public interface ReadableLedger extends LedgerReader, AutoCloseable {
    /** Shows every event kept: all that were durable when it was called, each stream's in order. */
    void export(Consumer<? super ExportedEvent> sink);

    /** Ends it; what is kept stays. */
    @Override
    void close();
}
