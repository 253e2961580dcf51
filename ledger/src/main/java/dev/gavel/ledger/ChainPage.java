package dev.gavel.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of a stream's chain, all of it as it was at one moment. Immutable.
 *
 * @param extent what the stream's own record says is kept
 * @param head what it says is the hash of its last event; null where that is none
 * @param forgottenUpTo the last seq ever pruned; 0 where none was
 * @param links in the order of their seqs
 * @param next after which seq to read on; null where these were the last
 */
public record ChainPage(
        Extent extent,
        @Nullable Hash head,
        long forgottenUpTo,
        List<Link> links,
        @Nullable Long next) {
    /** Of a stream that was never written to. */
    public static final ChainPage EMPTY = new ChainPage(Extent.EMPTY, Chain.START, 0, List.of(), null);

    public ChainPage {
        links = List.copyOf(links);
    }
}
