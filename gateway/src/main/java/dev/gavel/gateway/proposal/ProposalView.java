package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
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
 * @param alternativeRunners the present members that offer the call, if it is addressed to others that cannot run it
 * @param tools the status of the proposed tool at each of them; empty if the call is of no tool
 * @param risk what a reviewer must know before approving the call; empty once the proposal is no longer open
 * @param names the names by which texts for this member call the others
 * @param fullPayload the payload with its secret arguments; never shown
 * @param redacted whether the payload and the timeline have markers in place of secret arguments
 * @param mayReveal whether this member can have the secret arguments shown
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
        List<String> alternativeRunners,
        List<ProposedToolStatus> tools,
        Optional<CallRisk> risk,
        LifecycleGuidance guidance,
        List<ProposalTimelineEntry> timeline,
        MemberNames names,
        RawPayload fullPayload,
        boolean redacted,
        boolean mayReveal) {
    public ProposalView {
        to = List.copyOf(to);
        rejections = List.copyOf(rejections);
        possibleRunners = List.copyOf(possibleRunners);
        alternativeRunners = List.copyOf(alternativeRunners);
        tools = List.copyOf(tools);
        timeline = List.copyOf(timeline);
    }

    /** Creates the view of a proposal without secret arguments, whose tool nothing is known about. */
    public ProposalView(
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
            Optional<CallRisk> risk,
            LifecycleGuidance guidance,
            List<ProposalTimelineEntry> timeline,
            MemberNames names) {
        this(
                id,
                proposer,
                to,
                kind,
                payload,
                state,
                outcome,
                rejections,
                expiresAt,
                possibleRunners,
                List.of(),
                List.of(),
                risk,
                guidance,
                timeline,
                names,
                payload,
                false,
                false);
    }

    /** Returns the view of a proposal without secret arguments. */
    static ProposalView of(ProposalGuidanceBuilder builder) {
        return of(builder, List.of(), builder.proposalSnapshot(), ApprovalDraft.AS_PROPOSED, List.of());
    }

    /**
     * Returns the view of the proposal for the member and the time that the builder was created with.
     *
     * @param tools the status of the proposed tool at each member that could run the drafted call
     * @param full the proposal with its secret arguments; the builder's proposal may have markers in their place
     * @param draft the approval for which the call is assessed
     * @param warnings warnings that are not about parameters
     */
    public static ProposalView of(
            ProposalGuidanceBuilder builder,
            List<ProposedToolStatus> tools,
            ProposalSnapshot full,
            ApprovalDraft draft,
            List<String> warnings) {
        RawPayload fullPayload = full.payload();
        ProposalSnapshot proposalSnapshot = builder.proposalSnapshot();
        return new ProposalView(
                proposalSnapshot.id(),
                proposalSnapshot.proposer(),
                proposalSnapshot.to(),
                proposalSnapshot.kind(),
                proposalSnapshot.payload(),
                builder.state(),
                proposalSnapshot.outcome(),
                proposalSnapshot.rejections().stream()
                        .map(each -> new SystemMessage.Rejection(
                                builder.names().id(each.from()), each.reason(), each.note()))
                        .toList(),
                proposalSnapshot.expiresAt(),
                builder.possibleRunners(),
                builder.alternativeRunners(),
                tools,
                builder.risk(fullPayload, draft)
                        .map(risk -> risk.withTools(tools).withContextWarnings(warnings)),
                builder.guidance(),
                proposalSnapshot.timeline(),
                builder.names(),
                fullPayload,
                !proposalSnapshot.payload().equals(fullPayload)
                        || !fulfilledPayload(proposalSnapshot).equals(fulfilledPayload(full)),
                builder.readerCouldFulfil());
    }

    private static Optional<RawPayload> fulfilledPayload(ProposalSnapshot proposalSnapshot) {
        return Optional.ofNullable(proposalSnapshot.fulfilment())
                .map(Fulfilment::fulfilled)
                .or(() -> proposalSnapshot.heldApproval().map(ProposalSnapshot.HeldApproval::approval))
                .map(Fulfilled::payload);
    }

    /** Returns the disconnection of the caller, if the MCP client that made the call is disconnected. */
    public Optional<ProposalSnapshot.CallerDisconnection> callerDisconnection() {
        return state == ProposalState.OPEN ? ProposalSnapshot.CallerDisconnection.of(timeline) : Optional.empty();
    }

    /** Returns the approval that takes effect when the caller calls again. */
    public Optional<ProposalSnapshot.HeldApproval> heldApproval() {
        return state == ProposalState.OPEN ? ProposalSnapshot.HeldApproval.of(timeline) : Optional.empty();
    }

    /** Whether a reviewer edited the call before approving it. */
    public boolean isEdited() {
        return editedCall().isPresent();
    }

    /** Returns the payload of the call as it was or will be run: the edited one if a reviewer edited the call. */
    public RawPayload effectivePayload() {
        return editedCall().map(Fulfilled::payload).orElse(payload);
    }

    /** Returns the answer that set the outcome: the first one. Later answers change nothing. */
    public Optional<Answered> answer() {
        return timeline.stream()
                .map(ProposalTimelineEntry::event)
                .filter(Answered.class::isInstance)
                .map(Answered.class::cast)
                .findFirst();
    }

    /** Whether an event of the timeline is an answer that came after the first one, so that it changed nothing. */
    public boolean isIgnoredAnswer(ProposalEvent event) {
        return event instanceof Answered answered
                && answer().filter(first -> !first.equals(answered)).isPresent();
    }

    private Optional<Fulfilled> editedCall() {
        return timeline.stream()
                .map(ProposalTimelineEntry::event)
                .filter(Fulfilled.class::isInstance)
                .map(Fulfilled.class::cast)
                .findFirst()
                .or(() -> heldApproval().map(ProposalSnapshot.HeldApproval::approval))
                .filter(Fulfilled::edited);
    }

    /** Returns the assessment of the call, and the definitions of its tool, as a JSON object for clients. */
    public byte[] toAssessmentJson() {
        return ProposalViewJsonWriter.writeAssessment(this);
    }

    /** Returns the JSON object that is sent to clients. */
    public byte[] toJson() {
        return ProposalViewJsonWriter.write(this);
    }
}
