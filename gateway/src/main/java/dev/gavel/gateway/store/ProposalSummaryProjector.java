package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.util.List;

/** Computes a proposal's summary row from the proposal's events when the ledger's index is rebuilt. Stateless. */
public final class ProposalSummaryProjector implements SummaryProjector {
    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        LedgerEvent last = history.getLast();
        ProposalSnapshot proposalSnapshot =
                ProposalLedgerMapper.toProposal(history).orElseThrow();
        return ProposalLedgerMapper.toSummary(last.stream(), proposalSnapshot, last.seq());
    }
}
