package dev.gavel.gateway.proposal;

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
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a proposal stands: all its events taken together.
 *
 * @param id the proposing envelope's
 * @param since when it came into its state
 * @param fulfilment the call that was made for it, once one was
 * @param unreachable whether its proposer was told last that nobody is there
 * @param timeline every event, oldest first
 */
public record Proposal(
        String id,
        Proposed proposed,
        ProposalState state,
        Instant since,
        @Nullable Fulfilment fulfilment,
        boolean unreachable,
        List<Step> timeline) {
    public Proposal {
        timeline = List.copyOf(timeline);
    }

    /** A proposal that was just made. */
    public static Proposal begun(Proposed proposed, Instant at) {
        return new Proposal(
                proposed.sent().id(), proposed, ProposalState.OPEN, at, null, false, List.of(new Step(at, proposed)));
    }

    /** How a proposal with this history stands; the first step must be its {@link Proposed}. */
    public static Proposal of(List<Step> history) {
        if (history.isEmpty() || !(history.getFirst().event() instanceof Proposed proposed)) {
            throw new IllegalArgumentException("a proposal's history begins with its being proposed");
        }
        return begun(proposed, history.getFirst().at()).then(history.subList(1, history.size()));
    }

    /** How it stands once this happened too. */
    public Proposal then(Step step) {
        return then(List.of(step));
    }

    /** How it stands once all this happened too. */
    public Proposal then(List<Step> steps) {
        if (steps.isEmpty()) {
            return this;
        }
        Proposal next = this;
        for (Step step : steps) {
            next = next.changedBy(step.event(), step.at());
        }
        List<Step> longer = new ArrayList<>(timeline.size() + steps.size());
        longer.addAll(timeline);
        longer.addAll(steps);
        return new Proposal(id, proposed, next.state, next.since, next.fulfilment, next.unreachable, longer);
    }

    /** The timeline aside. An end is an end: only outcomes change after it. */
    private Proposal changedBy(ProposalEvent event, Instant at) {
        return switch (event) {
            case Proposed _ -> throw new IllegalArgumentException("'" + id + "' was proposed before");
            case Fulfilled request ->
                open() ? ended(ProposalState.FULFILLED, at).with(Fulfilment.pending(request, at)) : this;
            case Answered answer -> fulfilment == null ? this : with(fulfilment.answered(answer, at));
            case OutcomeUnknown(OutcomeUnknown.Why why) ->
                fulfilment == null ? this : with(fulfilment.unknown(why, at));
            case Withdrawn _ -> ended(ProposalState.WITHDRAWN, at);
            case ClosedByRejections _ -> ended(ProposalState.REJECTED, at);
            case Expired _ -> ended(ProposalState.EXPIRED, at);
            case Unreachable _ -> new Proposal(id, proposed, state, since, fulfilment, true, timeline);
            case Reachable _ -> new Proposal(id, proposed, state, since, fulfilment, false, timeline);
            case Rejected _, StatusGiven _, Forwarded _, NotForwarded _ -> this;
        };
    }

    private Proposal ended(ProposalState end, Instant at) {
        return open() ? new Proposal(id, proposed, end, at, fulfilment, unreachable, timeline) : this;
    }

    private Proposal with(Fulfilment call) {
        return new Proposal(id, proposed, state, since, call, unreachable, timeline);
    }

    public String proposer() {
        return proposed.by();
    }

    /** The members it was addressed to; empty for a broadcast. */
    public List<String> to() {
        return proposed.sent().to();
    }

    public Kind kind() {
        return proposed.sent().envelope().kind();
    }

    /** The kind of the request that fulfils it, with all the context its payload gives. */
    public Kind call() {
        return proposed.sent().envelope().effectiveKind().withOperation("request");
    }

    public Payload payload() {
        return proposed.payload();
    }

    public Instant proposedAt() {
        return timeline.getFirst().at();
    }

    public Instant expiresAt() {
        return proposed.expiresAt();
    }

    public boolean open() {
        return state == ProposalState.OPEN;
    }

    /** How it stands at a time, with what is due by then, whether or not that was recorded yet. */
    public Proposal asOf(Instant now) {
        if (dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return this;
        }
        return fulfilment == null
                ? ended(ProposalState.EXPIRED, expiresAt())
                : with(fulfilment.unknown(
                        OutcomeUnknown.Why.ANSWER_TIME_PASSED,
                        fulfilment.request().answerBy()));
    }

    /** Its state at a time: at its expiry it is no longer open. */
    public ProposalState stateAt(Instant now) {
        return asOf(now).state();
    }

    /** What came of the call, once one was made. */
    public Optional<Outcome> outcome() {
        return Optional.ofNullable(fulfilment).map(Fulfilment::outcome);
    }

    /** Whether what came of it was handed on to its proposer, who was told to ask for it again. */
    public boolean isForwarded() {
        return timeline.stream().map(Step::event).anyMatch(Forwarded.class::isInstance);
    }

    /** Every rejection, oldest first. */
    public List<SystemMessage.Rejection> rejections() {
        return timeline.stream()
                .map(Step::event)
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
                .map(each -> new SystemMessage.Rejection(each.by(), each.reason(), each.note()))
                .toList();
    }

    /** What each member said last that they are doing about it. */
    public Map<String, StatusGiven> statuses() {
        var latest = new LinkedHashMap<String, StatusGiven>();
        for (Step step : timeline) {
            if (step.event() instanceof StatusGiven given) {
                latest.put(given.by(), given);
            }
        }
        return latest;
    }

    /** When time alone will change it: its expiry, or the end of the time to answer. */
    public Optional<Instant> dueAt() {
        if (open()) {
            return Optional.of(expiresAt());
        }
        return Optional.ofNullable(fulfilment)
                .filter(call -> call.outcome() == Outcome.PENDING)
                .map(call -> call.request().answerBy());
    }

    /** What an index of proposals keeps of it. */
    public ProposalSummary summary() {
        return new ProposalSummary(
                id, state, open(), proposer(), dueAt(), proposedAt(), open() ? Optional.empty() : Optional.of(since));
    }
}
