package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.util.List;

/** Computes the ledger's summary row of a proposal from its events, to rebuild the index. Stateless. */
public final class ProposalSummaryProjector implements SummaryProjector {
    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        LedgerEvent last = history.getLast();
        ProposalSnapshot proposalSnapshot =
                ProposalLedgerMapper.toProposal(history).orElseThrow();
        return ProposalLedgerMapper.toSummary(last.stream(), proposalSnapshot, last.seq());
    }
}
