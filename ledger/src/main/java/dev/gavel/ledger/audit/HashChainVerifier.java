package dev.gavel.ledger.audit;

import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verifies the hash chain of a stream page by page, even while the ledger writer appends to it. Stateless. */
public final class HashChainVerifier {
    private static final int PAGE = 500;
    private static final long PAGE_BYTES = 4 << 20;

    /**
     * The number of events to verify beyond the end that the stream had at the start: the verification of a stream that
     * grows faster than it can be read must end.
     */
    private static final long MAX_GROWTH = 100_000;

    private HashChainVerifier() {}

    /**
     * Verifies a stream.
     *
     * @param trustedHeads ends of this stream that were recorded earlier
     * @param onEvent called for every event, so that the caller can show the progress
     */
    public static StreamAuditResult verify(
            LedgerReader ledger, String stream, List<TrustedHead> trustedHeads, Runnable onEvent) {
        long maxSeq = Math.min(ledger.retainedRange(stream).last(), Long.MAX_VALUE - MAX_GROWTH) + MAX_GROWTH;
        HashChainWalker hashChainWalker = new HashChainWalker(stream, trustedHeads);
        @Nullable Long next = Long.MIN_VALUE;
        while (next != null && hashChainWalker.position() < maxSeq) {
            HashChainPage page = ledger.chainPage(stream, next, PAGE, PAGE_BYTES);
            hashChainWalker.visit(page, onEvent);
            next = page.nextAfter();
        }
        return hashChainWalker.result();
    }
}
