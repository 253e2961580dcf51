package dev.gavel.gateway.proposal;

import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A proposal as the gateway shows it to one member, with guidance and timeline.
 *
 * @param couldRun who is here and could be addressed with the call; see {@link ProposalGuidanceBuilder#couldRun}
 */
public record ProposalView(
        String id,
        String from,
        List<String> to,
        Kind kind,
        Payload payload,
        ProposalState state,
        Optional<FulfilmentOutcome> outcome,
        List<SystemMessage.Rejection> reasons,
        Instant expiresAt,
        List<String> couldRun,
        LifecycleGuidance guidance,
        List<ProposalTimelineEntry> timeline) {
    public ProposalView {
        to = List.copyOf(to);
        reasons = List.copyOf(reasons);
        couldRun = List.copyOf(couldRun);
        timeline = List.copyOf(timeline);
    }

    /** The proposal as the guide's reader sees it at its time. */
    public static ProposalView of(ProposalGuidanceBuilder guide) {
        ProposalSnapshot proposalSnapshot = guide.proposalSnapshot();
        return new ProposalView(
                proposalSnapshot.id(),
                proposalSnapshot.proposer(),
                proposalSnapshot.to(),
                proposalSnapshot.kind(),
                proposalSnapshot.payload(),
                guide.state(),
                proposalSnapshot.outcome(),
                proposalSnapshot.rejections(),
                proposalSnapshot.expiresAt(),
                guide.couldRun(),
                guide.guidance(),
                proposalSnapshot.timeline());
    }

    /** The JSON object that is sent to whoever asks for it. */
    public byte[] toJson() {
        return ProposalViewJson.write(this);
    }
}
