package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of verifying a stream. Immutable.
 *
 * @param events how many kept events were looked at
 * @param forgotten how many events were pruned before
 * @param last the seq of the last event that was looked at
 * @param head its hash; null where that is destroyed
 * @param findings the first of them
 * @param more how many there are besides
 * @param noted the ends noted earlier that were to be compared
 */
public record Audited(
        String stream,
        long events,
        long forgotten,
        long last,
        @Nullable Hash head,
        List<Finding> findings,
        long more,
        List<Noted.Checked> noted) {
    public Audited {
        findings = List.copyOf(findings);
        noted = List.copyOf(noted);
    }
}
