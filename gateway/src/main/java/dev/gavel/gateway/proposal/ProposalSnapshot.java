package dev.gavel.gateway.proposal;

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
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a proposal after all its events: the proposed call, the call that a reviewer made to fulfil it, and the
 * timeline.
 *
 * @param id the id of the proposing envelope
 * @param stateSince when it entered its state
 * @param fulfilment the call that was made for it; null if there is none
 * @param timeline every event, oldest first
 */
public record ProposalSnapshot(
        String id,
        Proposed proposed,
        ProposalState state,
        Instant stateSince,
        @Nullable Fulfilment fulfilment,
        List<ProposalTimelineEntry> timeline) {
    public ProposalSnapshot {
        timeline = List.copyOf(timeline);
    }

    /**
     * The lost connection of the MCP client that made the call.
     *
     * @param deadline when the proposal is withdrawn, unless the client calls again; empty if it stays open until it
     *     expires
     */
    public record CallerDisconnection(Instant at, Optional<Instant> deadline) {
        /** Returns the disconnection after the events of an open proposal. */
        static Optional<CallerDisconnection> of(List<ProposalTimelineEntry> timeline) {
            return latest(timeline, event -> event instanceof CallerDisconnected || event instanceof CallerWaits)
                    .flatMap(entry -> entry.event() instanceof CallerDisconnected(String _, Instant deadline)
                            ? Optional.of(new CallerDisconnection(entry.at(), Optional.ofNullable(deadline)))
                            : Optional.empty());
        }
    }

    /** An approval that takes effect when the caller calls again. */
    public record HeldApproval(Instant at, ApprovalHeld event) {
        public Fulfilled approval() {
            return event.approval();
        }

        /** Returns the held approval after the events of an open proposal. */
        static Optional<HeldApproval> of(List<ProposalTimelineEntry> timeline) {
            return latest(timeline, event -> event instanceof ApprovalHeld || event instanceof HeldApprovalDropped)
                    .flatMap(entry -> entry.event() instanceof ApprovalHeld held
                            ? Optional.of(new HeldApproval(entry.at(), held))
                            : Optional.empty());
        }
    }

    /** Creates a new proposal. */
    public static ProposalSnapshot create(Proposed proposed, Instant at) {
        return new ProposalSnapshot(
                proposed.storedEnvelope().id(),
                proposed,
                ProposalState.OPEN,
                at,
                null,
                List.of(new ProposalTimelineEntry(at, proposed)));
    }

    /** Returns the proposal with this history; the first event must be its {@link Proposed}. */
    public static ProposalSnapshot of(List<ProposalTimelineEntry> history) {
        if (history.isEmpty() || !(history.getFirst().event() instanceof Proposed proposed)) {
            throw new IllegalArgumentException("a proposal's history must begin with the event 'proposed'");
        }
        return create(proposed, history.getFirst().at()).withEvents(history.subList(1, history.size()));
    }

    /** Returns the proposal after one more event. */
    public ProposalSnapshot withEvents(ProposalTimelineEntry proposalTimelineEntry) {
        return withEvents(List.of(proposalTimelineEntry));
    }

    /** Returns the proposal after these further events. */
    public ProposalSnapshot withEvents(List<ProposalTimelineEntry> proposalTimelineEntries) {
        if (proposalTimelineEntries.isEmpty()) {
            return this;
        }
        ProposalSnapshot next = this;
        for (ProposalTimelineEntry proposalTimelineEntry : proposalTimelineEntries) {
            next = next.applyWithoutTimeline(proposalTimelineEntry.event(), proposalTimelineEntry.at());
        }
        List<ProposalTimelineEntry> extended = new ArrayList<>(timeline.size() + proposalTimelineEntries.size());
        extended.addAll(timeline);
        extended.addAll(proposalTimelineEntries);
        return new ProposalSnapshot(id, proposed, next.state, next.stateSince, next.fulfilment, extended);
    }

    /**
     * Applies an event to everything except the timeline. An end state does not change. After it, only the fulfilment's
     * outcome can change.
     */
    private ProposalSnapshot applyWithoutTimeline(ProposalEvent event, Instant at) {
        return switch (event) {
            case Proposed _ -> throw new IllegalArgumentException("'" + id + "' was already proposed");
            case Fulfilled request ->
                isOpen()
                        ? toEndState(ProposalState.FULFILLED, at).withFulfilment(Fulfilment.pending(request, at))
                        : this;
            case Answered answer -> fulfilment == null ? this : withFulfilment(fulfilment.withAnswer(answer, at));
            case OutcomeUnknown(OutcomeUnknown.Reason reason) ->
                fulfilment == null ? this : withFulfilment(fulfilment.withUnknownOutcome(reason, at));
            case RunCancelled _ ->
                fulfilment == null
                        ? this
                        : withFulfilment(fulfilment.withUnknownOutcome(OutcomeUnknown.Reason.CANCELLED, at));
            case Withdrawn _ -> toEndState(ProposalState.WITHDRAWN, at);
            case ClosedByRejections _ -> toEndState(ProposalState.REJECTED, at);
            case Expired _ -> toEndState(ProposalState.EXPIRED, at);
            case Rejected _,
                    StatusReported _,
                    Unreachable _,
                    Reachable _,
                    CallerWaits _,
                    CallerDisconnected _,
                    ApprovalHeld _,
                    HeldApprovalDropped _,
                    Forwarded _,
                    NotForwarded _,
                    SecretsRevealed _ -> this;
        };
    }

    private ProposalSnapshot toEndState(ProposalState end, Instant at) {
        return isOpen() ? new ProposalSnapshot(id, proposed, end, at, fulfilment, timeline) : this;
    }

    private ProposalSnapshot withFulfilment(Fulfilment call) {
        return new ProposalSnapshot(id, proposed, state, stateSince, call, timeline);
    }

    /** Returns the proposal with markers in place of its secret arguments. */
    ProposalSnapshot redacted(SecretArgumentPatterns patterns) {
        return of(timeline.stream()
                .map(entry -> switch (entry.event()) {
                    case Proposed original -> new ProposalTimelineEntry(entry.at(), original.redacted(patterns));
                    case Fulfilled request ->
                        new ProposalTimelineEntry(entry.at(), request.redacted(patterns, payload()));
                    case ApprovalHeld(Fulfilled approval, String tokenHash) ->
                        new ProposalTimelineEntry(
                                entry.at(), new ApprovalHeld(approval.redacted(patterns, payload()), tokenHash));
                    default -> entry;
                })
                .toList());
    }

    public String proposer() {
        return proposed.actor();
    }

    /** The members it was addressed to; empty for a broadcast. */
    public List<String> to() {
        return proposed.storedEnvelope().to();
    }

    public Kind kind() {
        return proposed.storedEnvelope().envelope().kind();
    }

    /** The kind of the request that fulfils it, with the full context from its payload. */
    public Kind callKind() {
        return proposed.storedEnvelope().envelope().kindWithContext().withOperation("request");
    }

    public RawPayload payload() {
        return proposed.payload();
    }

    public Instant proposedAt() {
        return timeline.getFirst().at();
    }

    public Instant expiresAt() {
        return proposed.expiresAt();
    }

    public boolean isOpen() {
        return state == ProposalState.OPEN;
    }

    /**
     * Returns the proposal at a time, with expiry and answer timeout applied, whether or not they are already recorded.
     */
    public ProposalSnapshot asOf(Instant now) {
        if (dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return this;
        }
        if (fulfilment == null) {
            return callerDisconnection().isPresent()
                    ? withEvents(new ProposalTimelineEntry(dueAt().orElseThrow(), Withdrawn.CALLER_DID_NOT_RETURN))
                    : toEndState(ProposalState.EXPIRED, expiresAt());
        }
        return withFulfilment(fulfilment.withUnknownOutcome(
                OutcomeUnknown.Reason.ANSWER_TIME_PASSED, fulfilment.fulfilled().answerDeadline()));
    }

    /** Its state at a time. From its expiry on it is no longer open. */
    public ProposalState stateAt(Instant now) {
        return asOf(now).state();
    }

    /**
     * The participants that were to run the call, if the reviewer had it run on another one; empty if the call ran where
     * it was addressed, or was addressed to no participant that runs calls.
     */
    public List<String> redirectedFrom() {
        return fulfilment == null ? List.of() : fulfilment.fulfilled().redirectedFrom();
    }

    /** The outcome of the call; empty if no call was made. */
    public Optional<FulfilmentOutcome> outcome() {
        return Optional.ofNullable(fulfilment).map(Fulfilment::outcome);
    }

    /** Whether its result was forwarded to the MCP client of its proposer, and the client received it. */
    public boolean isForwarded() {
        return !forwardingProcesses().isEmpty();
    }

    /** The processes that forwarded its result to a client that received it. Events of earlier versions name none. */
    Set<String> forwardingProcesses() {
        Set<String> processes = new HashSet<>();
        for (ProposalTimelineEntry entry : timeline) {
            switch (entry.event()) {
                case Forwarded(String process) -> processes.add(process);
                case NotForwarded(String _, String process) when process.isEmpty() -> processes.clear();
                case NotForwarded(String _, String process) -> processes.remove(process);
                default -> {}
            }
        }
        return processes;
    }

    /** The event that withdrew it, if one did. */
    public Optional<Withdrawn> withdrawal() {
        return timeline.stream()
                .map(ProposalTimelineEntry::event)
                .filter(Withdrawn.class::isInstance)
                .map(Withdrawn.class::cast)
                .findFirst();
    }

    /** Every rejection, oldest first. */
    public List<SystemMessage.Rejection> rejections() {
        return timeline.stream()
                .map(ProposalTimelineEntry::event)
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
                .map(each -> new SystemMessage.Rejection(each.actor(), each.reason(), each.note()))
                .toList();
    }

    /** The latest status that each member reported on it. */
    public Map<String, StatusReported> statuses() {
        var latest = new LinkedHashMap<String, StatusReported>();
        for (ProposalTimelineEntry proposalTimelineEntry : timeline) {
            if (proposalTimelineEntry.event() instanceof StatusReported given) {
                latest.put(given.actor(), given);
            }
        }
        return latest;
    }

    /**
     * The disconnection of its caller, if the MCP client that made the call is disconnected and has not called again. Empty
     * once the proposal is not open any more.
     */
    public Optional<CallerDisconnection> callerDisconnection() {
        return isOpen() ? CallerDisconnection.of(timeline) : Optional.empty();
    }

    /** Whether it was fulfilled by the request with this id. */
    public boolean isFulfilledBy(String envelope) {
        return fulfilment != null && fulfilment.fulfilled().envelopeId().equals(envelope);
    }

    /** Whether the request with this id is the approval that takes effect when the caller calls again. */
    public boolean isHeldApproval(String envelope) {
        return heldApproval()
                .filter(held -> held.event().envelopeId().equals(envelope))
                .isPresent();
    }

    /** The approval that takes effect when the caller calls again, if there is one. */
    public Optional<HeldApproval> heldApproval() {
        return isOpen() ? HeldApproval.of(timeline) : Optional.empty();
    }

    private static Optional<ProposalTimelineEntry> latest(
            List<ProposalTimelineEntry> timeline, Predicate<ProposalEvent> filter) {
        return timeline.reversed().stream()
                .filter(entry -> filter.test(entry.event()))
                .findFirst();
    }

    /**
     * When time alone will change it: at its expiry, when its caller has not called again in time, or at the end of the
     * answer timeout.
     */
    public Optional<Instant> dueAt() {
        if (isOpen()) {
            return callerDisconnection()
                    .flatMap(CallerDisconnection::deadline)
                    .filter(deadline -> deadline.isBefore(expiresAt()))
                    .or(() -> Optional.of(expiresAt()));
        }
        return Optional.ofNullable(fulfilment)
                .filter(call -> call.outcome() == FulfilmentOutcome.PENDING)
                .map(call -> call.fulfilled().answerDeadline());
    }

    /** Returns the fields for the ledger's index of proposals. */
    public ProposalIndexEntry toIndexEntry() {
        return new ProposalIndexEntry(
                id,
                state,
                isOpen(),
                proposer(),
                dueAt(),
                proposedAt(),
                isOpen() ? Optional.empty() : Optional.of(stateSince));
    }
}
