package dev.gavel.app.edge.console.admin;

import dev.gavel.ledger.audit.Audited;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How verifying the ledger stands, or what came of it. Immutable.
 *
 * @param ended when it did; nothing while it runs
 * @param events how many were looked at so far
 * @param of how many there were when it began
 * @param failure why it could not be brought to an end
 * @param audited what came of each stream that is done
 * @param lost how many streams are gone as a whole
 */
public record Verification(
        String by,
        Instant began,
        Optional<Instant> ended,
        long events,
        long of,
        Optional<String> failure,
        List<Audited> audited,
        long lost) {
    public Verification {
        audited = List.copyOf(audited);
    }
}
