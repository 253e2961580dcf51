package dev.gavel.app.trace;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.trace.ProposalTraceContext;
import dev.gavel.mcpx.trace.ProposalTraceContext.SpanType;
import dev.gavel.mcpx.trace.TraceParent;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates a proposal's trace spans when an event completes them, for example the span from proposing to the decision.
 * Spans contain identities and outcomes, but neither arguments nor texts of participants. Stateless.
 */
final class ProposalSpanFactory {
    private static final int MAX_NAME_LENGTH = 128;

    private ProposalSpanFactory() {}

    /** Returns the spans that this change completes. */
    static List<TraceSpan> spansFor(String topic, AppliedProposalEvent change) {
        ProposalSnapshot proposalSnapshot = change.after();
        Instant at = change.entry().at();
        return switch (change.entry().event()) {
            case Fulfilled _ -> spans(topic, proposalSnapshot, at, SpanType.DECIDE);
            case Withdrawn _, ClosedByRejections _, Expired _ ->
                spans(topic, proposalSnapshot, at, SpanType.DECIDE, SpanType.PROPOSAL);
            case OutcomeUnknown _, RunCancelled _ ->
                spans(topic, proposalSnapshot, at, SpanType.RUN, SpanType.PROPOSAL);
            case Answered answer -> answerSpans(topic, proposalSnapshot, answer, at);
            case Proposed _,
                    Rejected _,
                    StatusReported _,
                    Unreachable _,
                    Reachable _,
                    CallerWaits _,
                    CallerDisconnected _,
                    ApprovalHeld _,
                    HeldApprovalDropped _,
                    Forwarded _,
                    NotForwarded _,
                    SecretsRevealed _ -> List.of();
        };
    }

    /**
     * The spans of an answer. Only the first answer sets the outcome; a late one, after the outcome became unknown,
     * completes no span.
     */
    private static List<TraceSpan> answerSpans(
            String topic, ProposalSnapshot proposalSnapshot, Answered answer, Instant at) {
        Fulfilment call = proposalSnapshot.fulfilment();
        if (call == null || !answer.equals(call.answer())) {
            return List.of();
        }
        return call.unknownReason() == null
                ? spans(topic, proposalSnapshot, at, SpanType.RUN, SpanType.PROPOSAL)
                : spans(topic, proposalSnapshot, at, SpanType.LATE);
    }

    private static List<TraceSpan> spans(
            String topic, ProposalSnapshot proposalSnapshot, Instant end, SpanType... spanTypes) {
        ProposalTraceContext trace = ProposalTraceContext.of(topic, proposalSnapshot.id(), proposalSnapshot.payload());
        return trace.isSampled()
                ? Arrays.stream(spanTypes)
                        .map(spanType -> span(trace, proposalSnapshot, spanType, end))
                        .toList()
                : List.of();
    }

    private static TraceSpan span(
            ProposalTraceContext trace, ProposalSnapshot proposalSnapshot, SpanType spanType, Instant end) {
        Instant start = switch (spanType) {
            case PROPOSAL, DECIDE -> proposalSnapshot.proposedAt();
            case RUN -> proposalSnapshot.stateSince();
            case LATE -> unknownSince(proposalSnapshot);
        };
        return new TraceSpan(
                trace.traceId(),
                trace.spanId(spanType),
                spanType == SpanType.PROPOSAL
                        ? trace.parent().map(TraceParent::spanId)
                        : Optional.of(trace.spanId(SpanType.PROPOSAL)),
                name(spanType, proposalSnapshot.callKind()),
                start,
                end,
                attributes(trace, proposalSnapshot),
                spanType != SpanType.DECIDE
                        && proposalSnapshot
                                .outcome()
                                .filter(FulfilmentOutcome.FAILED::equals)
                                .isPresent());
    }

    private static Instant unknownSince(ProposalSnapshot proposalSnapshot) {
        return proposalSnapshot.timeline().stream()
                .filter(proposalTimelineEntry -> proposalTimelineEntry.event() instanceof OutcomeUnknown
                        || proposalTimelineEntry.event() instanceof RunCancelled)
                .findFirst()
                .map(ProposalTimelineEntry::at)
                .orElse(proposalSnapshot.stateSince());
    }

    private static String name(SpanType spanType, Kind call) {
        String what = call.context() == null ? call.method() : call.method() + " " + call.context();
        String name = switch (spanType) {
            case PROPOSAL -> "proposal " + what;
            case DECIDE -> "decide";
            case RUN -> "run " + what;
            case LATE -> "late answer";
        };
        return truncate(name);
    }

    /** Shortens a name to the maximum length; a surrogate pair stays whole or is dropped. */
    static String truncate(String name) {
        if (name.length() <= MAX_NAME_LENGTH) {
            return name;
        }
        int end = Character.isHighSurrogate(name.charAt(MAX_NAME_LENGTH - 1)) ? MAX_NAME_LENGTH - 1 : MAX_NAME_LENGTH;
        return name.substring(0, end);
    }

    private static Map<String, String> attributes(ProposalTraceContext trace, ProposalSnapshot proposalSnapshot) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("gavel.topic", trace.topic());
        attributes.put("gavel.proposal", proposalSnapshot.id());
        attributes.put("gavel.kind", proposalSnapshot.kind().toString());
        attributes.put("gavel.proposer", proposalSnapshot.proposer());
        attributes.put("gavel.end", proposalSnapshot.state().label());
        decider(proposalSnapshot).ifPresent(decider -> attributes.put("gavel.decider", decider));
        Fulfilment call = proposalSnapshot.fulfilment();
        if (call != null) {
            attributes.put("gavel.edited", String.valueOf(call.fulfilled().edited()));
            attributes.put("gavel.outcome", call.outcome().label());
        }
        return attributes;
    }

    /** The participant that ended the proposal; empty if it expired. */
    private static Optional<String> decider(ProposalSnapshot proposalSnapshot) {
        return switch (proposalSnapshot.state()) {
            case FULFILLED ->
                Optional.ofNullable(proposalSnapshot.fulfilment())
                        .map(call -> call.fulfilled().actor());
            case WITHDRAWN -> proposalSnapshot.withdrawal().map(Withdrawn::actor);
            case REJECTED ->
                proposalSnapshot.rejections().isEmpty()
                        ? Optional.empty()
                        : Optional.of(proposalSnapshot.rejections().getLast().from());
            case OPEN, EXPIRED -> Optional.empty();
        };
    }
}
