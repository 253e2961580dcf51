package dev.gavel.web.console.admin;

import dev.gavel.ledger.audit.StreamAuditResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The progress or result of a verification of the ledger, as the console's ledger page shows it. Immutable.
 *
 * @param endedAt empty while the verification runs
 * @param events the number of events verified so far
 * @param totalEvents the number of events when the verification started
 * @param failure why the verification could not finish
 * @param streamAuditResults the results of the streams that are done
 * @param lostStreams the number of streams that are missing as a whole
 */
public record LedgerVerificationStatus(
        String by,
        Instant startedAt,
        Optional<Instant> endedAt,
        long events,
        long totalEvents,
        Optional<String> failure,
        List<StreamAuditResult> streamAuditResults,
        long lostStreams) {
    public LedgerVerificationStatus {
        streamAuditResults = List.copyOf(streamAuditResults);
    }
}
