package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a stream: counts, last event and its hash, findings, and the earlier head hashes that were
 * compared. Immutable.
 *
 * @param events how many kept events were looked at
 * @param prunedEvents how many events were pruned before
 * @param lastSeq the seq of the last event that was looked at
 * @param head its hash; null where that is destroyed
 * @param findings the first of them
 * @param moreFindings how many there are besides
 * @param comparedHeads the ends noted earlier that were to be compared
 */
public record StreamAuditResult(
        String stream,
        long events,
        long prunedEvents,
        long lastSeq,
        @Nullable Hash head,
        List<AuditFinding> findings,
        long moreFindings,
        List<TrustedHead.Comparison> comparedHeads) {
    public StreamAuditResult {
        findings = List.copyOf(findings);
        comparedHeads = List.copyOf(comparedHeads);
    }
}
