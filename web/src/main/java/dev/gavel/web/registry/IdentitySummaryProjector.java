package dev.gavel.web.registry;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.time.Instant;
import java.util.List;

/**
 * Marks every identity as open in the ledger's summaries, so that pruning never deletes the events of an identity.
 * Stateless.
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
