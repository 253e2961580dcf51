package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import java.util.List;

/** Says how a proposal stands after its events, for an index that is made anew. Stateless. */
public final class ProposalProjector implements SummaryProjector {
    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        LedgerEvent last = history.getLast();
        ProposalSnapshot proposalSnapshot =
                ProposalLedgerMapper.toProposal(history).orElseThrow();
        return ProposalLedgerMapper.toSummary(last.stream(), proposalSnapshot, last.seq());
    }
}
