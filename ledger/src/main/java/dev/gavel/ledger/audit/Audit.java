package dev.gavel.ledger.audit;

import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.LedgerReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies streams page by page, beside whoever writes them: each page is of one moment, and joins the one before whatever
 * was appended or pruned between the two. Stateless.
 */
public final class Audit {
    private static final int PAGE = 500;
    private static final long PAGE_BYTES = 4 << 20;

    /** How far a stream is followed that grows meanwhile: a writer that is faster is not chased for ever. */
    private static final long CHASE = 100_000;

    private Audit() {}

    /**
     * Verifies a stream.
     *
     * @param noted ends of this stream that were noted earlier
     * @param eachEvent called for every event, by whoever wants to show how far it has come
     */
    public static Audited verify(LedgerReader ledger, String stream, List<Noted> noted, Runnable eachEvent) {
        long enough = Math.min(ledger.extent(stream).last(), Long.MAX_VALUE - CHASE) + CHASE;
        Walk walk = new Walk(stream, noted);
        @Nullable Long next = Long.MIN_VALUE;
        while (next != null && walk.position() < enough) {
            ChainPage page = ledger.chain(stream, next, PAGE, PAGE_BYTES);
            walk.see(page, eachEvent);
            next = page.next();
        }
        return walk.result();
    }
}
