package dev.gavel.gateway.store;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.time.Instant;
import java.util.List;

/**
 * Computes the ledger's summary row of a tool with stored definitions. The row has no end time, so that retention does
 * not delete it. Stateless.
 */
public final class ToolBaselineProjector implements SummaryProjector {
    private static final LedgerBody EMPTY_BODY = LedgerBody.of("{}");

    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        return summary(history.getFirst().at(), history.getLast());
    }

    static SubjectSummary summary(Instant startedAt, LedgerEvent last) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                "recorded",
                false,
                last.subject(),
                null,
                startedAt,
                null,
                last.seq(),
                EMPTY_BODY);
    }
}
