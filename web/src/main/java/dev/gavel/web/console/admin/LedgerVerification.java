package dev.gavel.web.console.admin;

import dev.gavel.ledger.audit.StreamAuditResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The progress or the result of a verification of the ledger, for the console's ledger page. Immutable.
 *
 * @param endedAt when it did; nothing while it runs
 * @param events how many were looked at so far
 * @param totalEvents how many there were when it began
 * @param failure why it could not be brought to an end
 * @param streamAuditResult what came of each stream that is done
 * @param lostStreams how many streams are gone as a whole
 */
public record LedgerVerification(
        String by,
        Instant startedAt,
        Optional<Instant> endedAt,
        long events,
        long totalEvents,
        Optional<String> failure,
        List<StreamAuditResult> streamAuditResult,
        long lostStreams) {
    public LedgerVerification {
        streamAuditResult = List.copyOf(streamAuditResult);
    }
}
