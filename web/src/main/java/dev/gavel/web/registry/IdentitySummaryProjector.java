package dev.gavel.web.registry;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.time.Instant;
import java.util.List;

/**
 * Computes the ledger's summary of an identity from its events, and marks it as open, so that pruning never deletes
 * these events. Stateless.
 */
public final class IdentitySummaryProjector implements SummaryProjector {
    private static final LedgerBody EMPTY_BODY = LedgerBody.of("{}");

    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        history.forEach(RegistryChangeCodec::decode);
        return summary(history.getFirst().at(), history.getLast());
    }

    static SubjectSummary summary(Instant startedAt, LedgerEvent last) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                "kept",
                true,
                last.subject(),
                null,
                startedAt,
                null,
                last.seq(),
                EMPTY_BODY);
    }
}
