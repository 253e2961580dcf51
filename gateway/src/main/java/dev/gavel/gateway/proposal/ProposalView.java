package dev.gavel.gateway.proposal;

import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A proposal as a member of its topic is shown it.
 *
 * @param couldRun who is here and could be addressed with the call; see {@link ProposalGuide#couldRun}
 */
public record ProposalView(
        String id,
        String from,
        List<String> to,
        Kind kind,
        Payload payload,
        ProposalState state,
        Optional<Outcome> outcome,
        List<SystemMessage.Rejection> reasons,
        Instant expiresAt,
        List<String> couldRun,
        Guidance guidance,
        List<Step> timeline) {
    public ProposalView {
        to = List.copyOf(to);
        reasons = List.copyOf(reasons);
        couldRun = List.copyOf(couldRun);
        timeline = List.copyOf(timeline);
    }

    /** The proposal as the guide's reader sees it at its time. */
    public static ProposalView of(ProposalGuide guide) {
        Proposal proposal = guide.proposal();
        return new ProposalView(
                proposal.id(),
                proposal.proposer(),
                proposal.to(),
                proposal.kind(),
                proposal.payload(),
                guide.state(),
                proposal.outcome(),
                proposal.rejections(),
                proposal.expiresAt(),
                guide.couldRun(),
                guide.guidance(),
                proposal.timeline());
    }

    /** The JSON object that is sent to whoever asks for it. */
    public byte[] toJson() {
        return ProposalViewJson.write(this);
    }
}
