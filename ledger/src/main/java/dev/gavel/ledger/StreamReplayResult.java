package dev.gavel.ledger;

import java.util.List;

/** The result of reading a stream after a seq: the next events, or that some were pruned and the reader must resync. */
public sealed interface StreamReplayResult {
    /** The next events in order, without a gap; none where nothing came after. */
    record Events(List<LedgerEvent> events) implements StreamReplayResult {
        public Events {
            events = List.copyOf(events);
        }
    }

    /** Some of what came after is kept no more: whoever asks must read the present state afresh. */
    record Resync(RetainedStreamRange range) implements StreamReplayResult {}
}
