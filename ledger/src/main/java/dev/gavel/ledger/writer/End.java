package dev.gavel.ledger.writer;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.LedgerReader;
import java.util.Optional;

/**
 * How far a stream goes: two that are equal end the same stream in the same place. Where a store may be set back, seqs
 * alone do not tell: others may have written other events in the place of those that are gone. Immutable.
 */
record End(Extent extent, Optional<Hash> head) {
    static End of(LedgerReader durable, String stream) {
        return new End(durable.extent(stream), durable.head(stream));
    }

    long last() {
        return extent.last();
    }

    /** With the event that comes next. */
    End plus(Event event) {
        return new End(
                new Extent(extent.first(), event.seq()),
                head.map(before -> Chain.next(before, event.seq(), Chain.digest(event))));
    }
}
