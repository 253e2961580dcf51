package dev.gavel.ledger.writer;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import java.util.Optional;

/**
 * The last known range and hash of a stream, by which the ledger writer detects that another process wrote to the
 * stream. If a store can be set back to an older state, seqs alone are not enough: another process may have written
 * different events with the same seqs. Immutable.
 */
record StreamHead(RetainedStreamRange range, Optional<Hash> head) {
    static StreamHead of(LedgerReader reader, String stream) {
        return new StreamHead(reader.retainedRange(stream), reader.headHash(stream));
    }

    long lastSeq() {
        return range.last();
    }

    /** Returns the head after appending the next event. */
    StreamHead plus(LedgerEvent event) {
        return new StreamHead(
                new RetainedStreamRange(range.first(), event.seq()),
                head.map(before ->
                        HashChainCalculator.nextHash(before, event.seq(), HashChainCalculator.digest(event))));
    }
}
