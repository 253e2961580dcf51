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
 * The complete state of a proposal after all its events: the call, the fulfilment and the timeline.
 *
 * @param id the proposing envelope's
 * @param since when it came into its state
 * @param fulfilment the call that was made for it, once one was
 * @param unreachable whether its proposer was told last that nobody is there
 * @param timeline every event, oldest first
 */
public record ProposalSnapshot(
        String id,
        Proposed proposed,
        ProposalState state,
        Instant since,
        @Nullable Fulfilment fulfilment,
        boolean unreachable,
        List<ProposalTimelineEntry> timeline) {
    public ProposalSnapshot {
        timeline = List.copyOf(timeline);
    }

    /** A proposal that was just made. */
    public static ProposalSnapshot create(Proposed proposed, Instant at) {
        return new ProposalSnapshot(
                proposed.sent().id(),
                proposed,
                ProposalState.OPEN,
                at,
                null,
                false,
                List.of(new ProposalTimelineEntry(at, proposed)));
    }

    /** How a proposal with this history stands; the first step must be its {@link Proposed}. */
    public static ProposalSnapshot of(List<ProposalTimelineEntry> history) {
        if (history.isEmpty() || !(history.getFirst().event() instanceof Proposed proposed)) {
            throw new IllegalArgumentException("a proposal's history begins with its being proposed");
        }
        return create(proposed, history.getFirst().at()).then(history.subList(1, history.size()));
    }

    /** How it stands once this happened too. */
    public ProposalSnapshot then(ProposalTimelineEntry proposalTimelineEntry) {
        return then(List.of(proposalTimelineEntry));
    }

    /** How it stands once all this happened too. */
    public ProposalSnapshot then(List<ProposalTimelineEntry> proposalTimelineEntries) {
        if (proposalTimelineEntries.isEmpty()) {
            return this;
        }
        ProposalSnapshot next = this;
        for (ProposalTimelineEntry proposalTimelineEntry : proposalTimelineEntries) {
            next = next.changedBy(proposalTimelineEntry.event(), proposalTimelineEntry.at());
        }
        List<ProposalTimelineEntry> longer = new ArrayList<>(timeline.size() + proposalTimelineEntries.size());
        longer.addAll(timeline);
        longer.addAll(proposalTimelineEntries);
        return new ProposalSnapshot(id, proposed, next.state, next.since, next.fulfilment, next.unreachable, longer);
    }

    /** The timeline aside. An end is an end: only outcomes change after it. */
    private ProposalSnapshot changedBy(ProposalEvent event, Instant at) {
        return switch (event) {
            case Proposed _ -> throw new IllegalArgumentException("'" + id + "' was proposed before");
            case Fulfilled request ->
                open() ? ended(ProposalState.FULFILLED, at).with(Fulfilment.pending(request, at)) : this;
            case Answered answer -> fulfilment == null ? this : with(fulfilment.answered(answer, at));
            case OutcomeUnknown(OutcomeUnknown.Reason reason) ->
                fulfilment == null ? this : with(fulfilment.unknown(reason, at));
            case Withdrawn _ -> ended(ProposalState.WITHDRAWN, at);
            case ClosedByRejections _ -> ended(ProposalState.REJECTED, at);
            case Expired _ -> ended(ProposalState.EXPIRED, at);
            case Unreachable _ -> new ProposalSnapshot(id, proposed, state, since, fulfilment, true, timeline);
            case Reachable _ -> new ProposalSnapshot(id, proposed, state, since, fulfilment, false, timeline);
            case Rejected _, StatusGiven _, Forwarded _, NotForwarded _ -> this;
        };
    }

    private ProposalSnapshot ended(ProposalState end, Instant at) {
        return open() ? new ProposalSnapshot(id, proposed, end, at, fulfilment, unreachable, timeline) : this;
    }

    private ProposalSnapshot with(Fulfilment call) {
        return new ProposalSnapshot(id, proposed, state, since, call, unreachable, timeline);
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
    public ProposalSnapshot asOf(Instant now) {
        if (dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return this;
        }
        return fulfilment == null
                ? ended(ProposalState.EXPIRED, expiresAt())
                : with(fulfilment.unknown(
                        OutcomeUnknown.Reason.ANSWER_TIME_PASSED,
                        fulfilment.request().answerBy()));
    }

    /** Its state at a time: at its expiry it is no longer open. */
    public ProposalState stateAt(Instant now) {
        return asOf(now).state();
    }

    /** What came of the call, once one was made. */
    public Optional<FulfilmentOutcome> outcome() {
        return Optional.ofNullable(fulfilment).map(Fulfilment::outcome);
    }

    /** Whether what came of it was handed on to its proposer, who was told to ask for it again. */
    public boolean isForwarded() {
        return timeline.stream().map(ProposalTimelineEntry::event).anyMatch(Forwarded.class::isInstance);
    }

    /** Every rejection, oldest first. */
    public List<SystemMessage.Rejection> rejections() {
        return timeline.stream()
                .map(ProposalTimelineEntry::event)
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
                .map(each -> new SystemMessage.Rejection(each.by(), each.reason(), each.note()))
                .toList();
    }

    /** What each member said last that they are doing about it. */
    public Map<String, StatusGiven> statuses() {
        var latest = new LinkedHashMap<String, StatusGiven>();
        for (ProposalTimelineEntry proposalTimelineEntry : timeline) {
            if (proposalTimelineEntry.event() instanceof StatusGiven given) {
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
                .filter(call -> call.outcome() == FulfilmentOutcome.PENDING)
                .map(call -> call.request().answerBy());
    }

    /** What an index of proposals keeps of it. */
    public ProposalIndexEntry summary() {
        return new ProposalIndexEntry(
                id, state, open(), proposer(), dueAt(), proposedAt(), open() ? Optional.empty() : Optional.of(since));
    }
}
