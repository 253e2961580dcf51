package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a ledger stream: event counts, last event and its hash, findings, and the comparison with
 * trusted hashes. Immutable.
 *
 * @param events the number of verified events
 * @param prunedEvents the number of events that were pruned earlier
 * @param lastSeq the seq of the last verified event
 * @param head the hash of the last verified event; null if it was destroyed
 * @param findings the findings, up to a limit
 * @param moreFindings the number of findings beyond the limit
 * @param comparedHeads the results for the trusted heads that the caller passed
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
