package dev.gavel.gateway.proposal;

import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A proposal as the gateway shows it to one member, with guidance and timeline.
 *
 * @param possibleRunners the present members that the call could be addressed to; see {@link
 *     ProposalGuidanceBuilder#possibleRunners}
 */
public record ProposalView(
        String id,
        String proposer,
        List<String> to,
        Kind kind,
        RawPayload payload,
        ProposalState state,
        Optional<FulfilmentOutcome> outcome,
        List<SystemMessage.Rejection> rejections,
        Instant expiresAt,
        List<String> possibleRunners,
        LifecycleGuidance guidance,
        List<ProposalTimelineEntry> timeline) {
    public ProposalView {
        to = List.copyOf(to);
        rejections = List.copyOf(rejections);
        possibleRunners = List.copyOf(possibleRunners);
        timeline = List.copyOf(timeline);
    }

    /** Returns the view of the proposal for the member and the time that the builder was created with. */
    public static ProposalView of(ProposalGuidanceBuilder builder) {
        ProposalSnapshot proposalSnapshot = builder.proposalSnapshot();
        return new ProposalView(
                proposalSnapshot.id(),
                proposalSnapshot.proposer(),
                proposalSnapshot.to(),
                proposalSnapshot.kind(),
                proposalSnapshot.payload(),
                builder.state(),
                proposalSnapshot.outcome(),
                proposalSnapshot.rejections(),
                proposalSnapshot.expiresAt(),
                builder.possibleRunners(),
                builder.guidance(),
                proposalSnapshot.timeline());
    }

    /** Returns the JSON object that is sent to clients. */
    public byte[] toJson() {
        return ProposalViewJsonWriter.write(this);
    }
}
