package dev.gavel.ledger.writer;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChain;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import java.util.Optional;

/**
 * The range and head hash of a stream, which show whether another process wrote to it. Where a store may be set back,
 * seqs alone do not tell: others may have written other events in the place of those that are gone. Immutable.
 */
record StreamHead(RetainedStreamRange range, Optional<Hash> head) {
    static StreamHead of(LedgerReader durable, String stream) {
        return new StreamHead(durable.retainedRange(stream), durable.headHash(stream));
    }

    long lastSeq() {
        return range.last();
    }

    /** With the event that comes next. */
    StreamHead plus(LedgerEvent event) {
        return new StreamHead(
                new RetainedStreamRange(range.first(), event.seq()),
                head.map(before -> HashChain.nextHash(before, event.seq(), HashChain.digest(event))));
    }
}
