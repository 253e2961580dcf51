package dev.gavel.ledger;

import java.util.List;

/**
 * The result of reading the events of a stream after a given sequence number: the events, or that some of them were
 * pruned.
 */
public sealed interface StreamReadResult {
    /** The next events in order, without a gap; empty if there are none after the seq. */
    record Events(List<LedgerEvent> events) implements StreamReadResult {
        public Events {
            events = List.copyOf(events);
        }
    }

    /** Some events after the seq were pruned: the caller must read the current state instead. */
    record Resync(RetainedStreamRange range) implements StreamReadResult {}
}
