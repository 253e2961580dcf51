package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/** An unverified entry of a stream's hash chain, as stored: an event, a run of deleted events, or an unreadable row. */
public sealed interface HashChainEntry {
    /** Returns the seq of this entry; for a range, the first seq. */
    long seq();

    /**
     * An event that the database still has.
     *
     * @param digest the digest as the database stores it; null if the stored value is not a hash
     * @param hash the hash as the database stores it; null if the stored value is not a hash
     */
    record StoredEvent(
            LedgerEvent event,
            @Nullable Hash digest,
            @Nullable Hash hash) implements HashChainEntry {
        @Override
        public long seq() {
            return event.seq();
        }
    }

    /**
     * The longest run of adjacent events that were pruned.
     *
     * @param hash the hash of the last pruned event, from which the next event follows; null if the stored value is not
     *     a hash
     */
    record PrunedRange(long seq, long last, @Nullable Hash hash) implements HashChainEntry {}

    /** A row in the place of an event that cannot be read as one. */
    record UnreadableRow(long seq, String reason) implements HashChainEntry {}
}
