package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a stream's hash chain as the database stores it, not yet verified: an event, a pruned range or an
 * unreadable row.
 */
public sealed interface ChainEntry {
    /** Where it stands; of several events the first. */
    long seq();

    /**
     * An event that is kept.
     *
     * @param digest what the database says is its digest; null where that is no hash
     * @param hash what the database says is its hash; null where that is none
     */
    record StoredEvent(
            LedgerEvent event,
            @Nullable Hash digest,
            @Nullable Hash hash) implements ChainEntry {
        @Override
        public long seq() {
            return event.seq();
        }
    }

    /**
     * Neighbouring events that were pruned, as many as there were side by side.
     *
     * @param hash the hash of the last of them, from which the next one follows; null where that is none
     */
    record PrunedRange(long seq, long last, @Nullable Hash hash) implements ChainEntry {}

    /** Something that stands where an event should, and can be none. */
    record UnreadableRow(long seq, String reason) implements ChainEntry {}
}
