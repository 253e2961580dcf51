package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Summary;
import java.util.List;

/** Says how a proposal stands after its events, for an index that is made anew. Stateless. */
public final class ProposalProjector implements Projector {
    @Override
    public Summary summarise(List<Event> history) {
        Event last = history.getLast();
        Proposal proposal = Kept.proposal(history).orElseThrow();
        return Kept.summary(last.stream(), proposal, last.seq());
    }
}
