package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalView;
import java.util.List;
import java.util.Optional;

/**
 * Some of a topic's proposals.
 *
 * @param next the cursor that leads on, where there are more
 */
public record Listing(List<ProposalView> proposals, Optional<String> next) {
    public Listing {
        proposals = List.copyOf(proposals);
    }
}
