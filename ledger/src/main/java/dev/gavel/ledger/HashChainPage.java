package dev.gavel.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds one page of a stream's hash chain, read at one moment, with the stream's recorded range and head hash.
 * Immutable.
 *
 * @param range what the stream's own record says is kept
 * @param head what it says is the hash of its last event; null where that is none
 * @param prunedUpTo the last seq ever pruned; 0 where none was
 * @param entries in the order of their seqs
 * @param nextAfter after which seq to read on; null where these were the last
 */
public record HashChainPage(
        RetainedStreamRange range,
        @Nullable Hash head,
        long prunedUpTo,
        List<ChainEntry> entries,
        @Nullable Long nextAfter) {
    /** Of a stream that was never written to. */
    public static final HashChainPage EMPTY =
            new HashChainPage(RetainedStreamRange.EMPTY, HashChain.GENESIS_HASH, 0, List.of(), null);

    public HashChainPage {
        entries = List.copyOf(entries);
    }
}
