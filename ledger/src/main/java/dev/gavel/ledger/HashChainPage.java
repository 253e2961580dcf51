package dev.gavel.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a stream's hash chain, read at one moment together with the stream's stored sequence range and last hash.
 * Immutable.
 *
 * @param range the retained range according to the stream's row
 * @param head the hash of the last event according to the stream's row; null if the stored value is not a hash
 * @param prunedUpTo the highest pruned seq; 0 if nothing was pruned
 * @param entries the entries, ordered by seq
 * @param nextAfter the seq after which the next page begins; null if this is the last page
 */
public record HashChainPage(
        RetainedStreamRange range,
        @Nullable Hash head,
        long prunedUpTo,
        List<HashChainEntry> entries,
        @Nullable Long nextAfter) {
    /** The page of a stream without events. */
    public static final HashChainPage EMPTY =
            new HashChainPage(RetainedStreamRange.EMPTY, HashChainCalculator.GENESIS_HASH, 0, List.of(), null);

    public HashChainPage {
        entries = List.copyOf(entries);
    }
}
