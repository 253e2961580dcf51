package dev.gavel.app.trace;

import dev.gavel.gateway.docket.Change;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.trace.ProposalTrace;
import dev.gavel.mcpx.trace.ProposalTrace.Part;
import dev.gavel.mcpx.trace.TraceParent;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes spans of what has happened to proposals: {@code decide} when one is decided, {@code run} when its call is
 * answered, and around them {@code proposal} when nothing more is expected. They say who and how, never what with: neither
 * arguments nor what anybody wrote. Stateless.
 */
final class ProposalSpans {
    private static final int LONGEST_NAME = 128;

    private ProposalSpans() {}

    /** The spans that ended with this. */
    static List<Span> of(String topic, Change change) {
        Proposal proposal = change.after();
        Instant at = change.step().at();
        return switch (change.step().event()) {
            case Fulfilled _ -> spans(topic, proposal, at, Part.DECIDE);
            case Withdrawn _, ClosedByRejections _, Expired _ -> spans(topic, proposal, at, Part.DECIDE, Part.PROPOSAL);
            case OutcomeUnknown _ -> spans(topic, proposal, at, Part.RUN, Part.PROPOSAL);
            case Answered answer -> answered(topic, proposal, answer, at);
            case Proposed _, Rejected _, StatusGiven _, Unreachable _, Reachable _, Forwarded _, NotForwarded _ ->
                List.of();
        };
    }

    /** Only the first answer sets the outcome; one after it was unknown ends nothing that was not over. */
    private static List<Span> answered(String topic, Proposal proposal, Answered answer, Instant at) {
        Fulfilment call = proposal.fulfilment();
        if (call == null || !answer.equals(call.answer())) {
            return List.of();
        }
        return call.unknown() == null
                ? spans(topic, proposal, at, Part.RUN, Part.PROPOSAL)
                : spans(topic, proposal, at, Part.LATE);
    }

    private static List<Span> spans(String topic, Proposal proposal, Instant end, Part... parts) {
        ProposalTrace trace = ProposalTrace.of(topic, proposal.id(), proposal.payload());
        return trace.sampled()
                ? Arrays.stream(parts)
                        .map(part -> span(trace, proposal, part, end))
                        .toList()
                : List.of();
    }

    private static Span span(ProposalTrace trace, Proposal proposal, Part part, Instant end) {
        Instant start = switch (part) {
            case PROPOSAL, DECIDE -> proposal.proposedAt();
            case RUN -> proposal.since();
            case LATE -> unknownSince(proposal);
        };
        return new Span(
                trace.traceId(),
                trace.spanId(part),
                part == Part.PROPOSAL
                        ? trace.parent().map(TraceParent::spanId)
                        : Optional.of(trace.spanId(Part.PROPOSAL)),
                name(part, proposal.call()),
                start,
                end,
                attributes(trace, proposal),
                part != Part.DECIDE
                        && proposal.outcome().filter(Outcome.FAILED::equals).isPresent());
    }

    private static Instant unknownSince(Proposal proposal) {
        return proposal.timeline().stream()
                .filter(step -> step.event() instanceof OutcomeUnknown)
                .findFirst()
                .map(Step::at)
                .orElse(proposal.since());
    }

    private static String name(Part part, Kind call) {
        String what = call.context() == null ? call.method() : call.method() + " " + call.context();
        String name = switch (part) {
            case PROPOSAL -> "proposal " + what;
            case DECIDE -> "decide";
            case RUN -> "run " + what;
            case LATE -> "late answer";
        };
        return cut(name);
    }

    /** No longer than it may be; a character of two halves is kept whole, or not at all. */
    static String cut(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        int end = Character.isHighSurrogate(name.charAt(LONGEST_NAME - 1)) ? LONGEST_NAME - 1 : LONGEST_NAME;
        return name.substring(0, end);
    }

    private static Map<String, String> attributes(ProposalTrace trace, Proposal proposal) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("gavel.topic", trace.topic());
        attributes.put("gavel.proposal", proposal.id());
        attributes.put("gavel.kind", proposal.kind().toString());
        attributes.put("gavel.proposer", proposal.proposer());
        attributes.put("gavel.end", proposal.state().word());
        decider(proposal).ifPresent(decider -> attributes.put("gavel.decider", decider));
        Fulfilment call = proposal.fulfilment();
        if (call != null) {
            attributes.put("gavel.edited", String.valueOf(call.request().edited()));
            attributes.put("gavel.outcome", call.outcome().word());
        }
        return attributes;
    }

    /** Who ended it; nobody where time did. */
    private static Optional<String> decider(Proposal proposal) {
        return switch (proposal.state()) {
            case FULFILLED ->
                Optional.ofNullable(proposal.fulfilment())
                        .map(call -> call.request().by());
            case WITHDRAWN -> Optional.of(proposal.proposer());
            case REJECTED ->
                proposal.rejections().isEmpty()
                        ? Optional.empty()
                        : Optional.of(proposal.rejections().getLast().from());
            case OPEN, EXPIRED -> Optional.empty();
        };
    }
}
