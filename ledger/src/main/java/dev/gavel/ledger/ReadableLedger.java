package dev.gavel.ledger;

import java.util.function.Consumer;

/** A ledger open for reading: everything in it can be shown. Thread-safe. */
public interface ReadableLedger extends LedgerReader, AutoCloseable {
    /** Shows every event kept: all that were durable when it was called, each stream's in order. */
    void export(Consumer<? super ExportedEvent> sink);

    /** Ends it; what is kept stays. */
    @Override
    void close();
}
