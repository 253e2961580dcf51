package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.MemberCapabilities;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDecisionResult;
import dev.gavel.gateway.proposal.ProposalError;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTask;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on envelopes about one topic's proposals in ledger order, and appends the resulting events to the ledger.
 * Callbacks run once the result is durable, on the writer's thread, which they must not block. Thread-safe.
 */
public final class ProposalStore {
    private static final Logger log = LoggerFactory.getLogger(ProposalStore.class);

    private final String topic;
    private volatile ProposalDecider decider;
    private final LedgerWriter writer;
    private final ProposalReader reader;

    /** Confined to the writer's thread. */
    private final ProposalCache proposalCache = new ProposalCache();

    public ProposalStore(String topic, ProposalDecider life, LedgerWriter writer, LedgerReader ledger) {
        this.topic = topic;
        this.decider = life;
        this.writer = writer;
        this.reader = new ProposalReader(topic, () -> this.decider, ledger);
    }

    /** Returns a reader of the events that any process writes to the topic. */
    public ProposalTailReader tailReader() {
        return reader.tailReader();
    }

    /** Returns the reader of the topic's proposals. */
    public ProposalReader reader() {
        return reader;
    }

    /** Uses these members for decisions from now on. Called by one thread only. */
    public void updateMembers(MemberCapabilities memberCapabilities) {
        decider = new ProposalDecider(decider.settings(), memberCapabilities);
    }

    /**
     * Calls back after the callbacks of all requests that were submitted before; those may have been decided with the
     * earlier members.
     */
    public void afterPending(Consumer<ProposalStoreResult> then) {
        submit(writerTaskContext -> TaskDecision.nothing(new ProposalStoreResult.Unrelated()), 0, then);
    }

    /** Decides on an envelope that may concern proposals. */
    public void decide(
            AdmittedEnvelope admittedEnvelope, PresenceSnapshot presenceSnapshot, Consumer<ProposalStoreResult> then) {
        submit(
                admittedEnvelope,
                decisionContext -> decideByKind(decisionContext, admittedEnvelope, presenceSnapshot),
                then);
    }

    /** Refuses an envelope for this reason, unless it is a resend of an accepted one. */
    public void refuse(AdmittedEnvelope admittedEnvelope, ProposalError why, Consumer<ProposalStoreResult> then) {
        submit(admittedEnvelope, decisionContext -> new ProposalDecisionResult.Declined(List.of(why)), then);
    }

    private void submit(
            AdmittedEnvelope admittedEnvelope,
            Function<DecisionContext, ProposalDecisionResult> rule,
            Consumer<ProposalStoreResult> then) {
        submit(
                writerTaskContext -> {
                    DecisionContext decisionContext = new DecisionContext(writerTaskContext, decider, proposalCache);
                    try {
                        Optional<LedgerEvent> before = decisionContext.eventCausedBy(
                                admittedEnvelope.envelope().id());
                        return before.isPresent()
                                ? decideDuplicate(decisionContext, before.get(), admittedEnvelope)
                                : commit(decisionContext, rule.apply(decisionContext));
                    } catch (DecisionContext.TooManyBytesException e) {
                        return commit(decisionContext, tooMuch(admittedEnvelope));
                    }
                },
                admittedEnvelope.envelope().length(),
                then);
    }

    /**
     * Decides on an envelope whose id was used before.
     *
     * @param before the event that the earlier envelope caused
     */
    private static TaskDecision<ProposalStoreResult> decideDuplicate(
            DecisionContext decisionContext, LedgerEvent before, AdmittedEnvelope admittedEnvelope) {
        ProposalDecisionResult proposalDecisionResult = decisionContext
                .decider()
                .decideDuplicate(
                        DecisionContext.envelopeOf(Optional.of(before)).orElseThrow(),
                        admittedEnvelope,
                        decisionContext::proposal);
        return proposalDecisionResult
                        instanceof ProposalDecisionResult.Duplicate(var storedEnvelope, var proposalErrors)
                ? TaskDecision.nothing(new ProposalStoreResult.Duplicate(storedEnvelope, proposalErrors, before.seq()))
                : commit(decisionContext, proposalDecisionResult);
    }

    private static ProposalDecisionResult tooMuch(AdmittedEnvelope admittedEnvelope) {
        return new ProposalDecisionResult.Declined(List.of(new ProposalError(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.TOO_LARGE,
                                "The proposals this is about are too large to be decided on together; name fewer."),
                Optional.empty(),
                Optional.empty())));
    }

    private static ProposalDecisionResult decideByKind(
            DecisionContext decisionContext, AdmittedEnvelope admittedEnvelope, PresenceSnapshot presenceSnapshot) {
        ProposalDecider life = decisionContext.decider();
        Envelope envelope = admittedEnvelope.envelope();
        return switch (envelope.category()) {
            case PROPOSAL -> life.propose(admittedEnvelope, presenceSnapshot);
            case REQUEST ->
                life.fulfil(
                        admittedEnvelope,
                        decisionContext.proposal(envelope.correlationIds().getFirst()),
                        presenceSnapshot);
            case RESPONSE ->
                findFulfilledBy(decisionContext, envelope)
                        .map(proposalSnapshot -> life.answer(admittedEnvelope, proposalSnapshot))
                        .orElseGet(ProposalDecisionResult.Unchanged::new);
            case WITHDRAW, REJECT, STATUS -> life.remark(admittedEnvelope, decisionContext::proposal);
            case CHAT, SYSTEM, OTHER -> throw new IllegalArgumentException(envelope.kind() + " is not about proposals");
        };
    }

    /** Returns the proposal that was fulfilled by the request to which a response belongs. */
    private static Optional<ProposalSnapshot> findFulfilledBy(DecisionContext decisionContext, Envelope response) {
        return decisionContext
                .eventCausedBy(response.correlationIds().getFirst())
                .filter(request -> ProposalLedgerMapper.toProposalEvent(request) instanceof Fulfilled)
                .flatMap(request -> decisionContext.proposal(request.subject()));
    }

    private static TaskDecision<ProposalStoreResult> commit(
            DecisionContext decisionContext, ProposalDecisionResult proposalDecisionResult) {
        return switch (proposalDecisionResult) {
            case ProposalDecisionResult.Accepted accepted -> {
                decisionContext.append(accepted);
                yield decisionContext.toCommitted(accepted.errors());
            }
            case ProposalDecisionResult.Declined(List<ProposalError> proposalErrors) ->
                TaskDecision.nothing(new ProposalStoreResult.Declined(proposalErrors));
            case ProposalDecisionResult.Duplicate _ ->
                throw new IllegalArgumentException("only what came before is echoed");
            case ProposalDecisionResult.Unchanged() -> TaskDecision.nothing(new ProposalStoreResult.Unrelated());
        };
    }

    /** Records that a proposal's result was not forwarded, because the proposer had stopped waiting. */
    public void markNotForwarded(String proposal, String why, Consumer<ProposalStoreResult> then) {
        recordForwarding(proposal, (by, found) -> by.markNotForwarded(found, why), why.length(), then);
    }

    /** Records that a proposal's result is forwarded to its proposer. Does nothing if it was forwarded before. */
    public void markForwarded(String proposal, Consumer<ProposalStoreResult> then) {
        recordForwarding(proposal, ProposalDecider::markForwarded, 0, then);
    }

    private void recordForwarding(
            String proposal,
            BiFunction<ProposalDecider, ProposalSnapshot, ProposalDecisionResult> rule,
            int bytes,
            Consumer<ProposalStoreResult> then) {
        submit(
                writerTaskContext -> {
                    DecisionContext decisionContext = new DecisionContext(writerTaskContext, decider, proposalCache);
                    if (loadOrSkip(decisionContext, proposal)
                                    .map(found -> rule.apply(decisionContext.decider(), found))
                                    .orElse(null)
                            instanceof ProposalDecisionResult.Accepted accepted) {
                        decisionContext.append(accepted);
                    }
                    return decisionContext.toCommitted(List.of());
                },
                bytes,
                then);
    }

    /** Applies the expiries and answer timeouts that are due by now. */
    public void expireDue(Collection<TrackedProposal> due, Consumer<ProposalStoreResult> then) {
        review(
                due,
                (decisionContext, trackedProposal, proposalSnapshot, now) ->
                        decisionContext.decider().expireDue(proposalSnapshot, now),
                then);
    }

    /** Applies the members' presence to these proposals. */
    public void applyPresence(
            Collection<TrackedProposal> watched,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> then) {
        review(
                watched,
                (decisionContext, trackedProposal, proposalSnapshot, now) -> decisionContext
                        .decider()
                        .applyPresence(proposalSnapshot, trackedProposal.reviewers(), presenceSnapshot, now),
                then);
    }

    /** Computes the eligible reviewers of these proposals again, and applies the members' presence to them. */
    public void applyMembership(
            Collection<TrackedProposal> open, PresenceSnapshot presenceSnapshot, Consumer<ProposalStoreResult> then) {
        review(
                open,
                (decisionContext, trackedProposal, proposalSnapshot, now) -> {
                    decisionContext.includeUnchanged(proposalSnapshot);
                    ProposalDecider by = decisionContext.decider();
                    return by.applyPresence(
                            proposalSnapshot, by.eligibleReviewers(proposalSnapshot), presenceSnapshot, now);
                },
                then);
    }

    /** Decides on one tracked proposal in a sweep. */
    @FunctionalInterface
    private interface ProposalReview {
        ProposalDecisionResult decide(
                DecisionContext decisionContext,
                TrackedProposal trackedProposal,
                ProposalSnapshot proposalSnapshot,
                Instant now);
    }

    private void review(
            Collection<TrackedProposal> trackedProposals, ProposalReview review, Consumer<ProposalStoreResult> then) {
        submit(
                writerTaskContext -> {
                    DecisionContext decisionContext = new DecisionContext(writerTaskContext, decider, proposalCache);
                    for (TrackedProposal trackedProposal : trackedProposals) {
                        loadOrSkip(decisionContext, trackedProposal.id())
                                .map(proposalSnapshot -> review.decide(
                                        decisionContext, trackedProposal, proposalSnapshot, writerTaskContext.now()))
                                .filter(ProposalDecisionResult.Accepted.class::isInstance)
                                .map(ProposalDecisionResult.Accepted.class::cast)
                                .ifPresent(decisionContext::append);
                    }
                    return decisionContext.toCommitted(List.of());
                },
                0,
                then);
    }

    /** A proposal that cannot be read must not block the sweep of the others. */
    private Optional<ProposalSnapshot> loadOrSkip(DecisionContext decisionContext, String id) {
        try {
            return decisionContext.proposal(id);
        } catch (LedgerException | DecisionContext.TooManyBytesException e) {
            log.atError()
                    .addKeyValue("topic", topic)
                    .addKeyValue("proposal", id)
                    .log("in topic '{}' the proposal '{}' is passed over: {}", topic, id, e.getMessage());
            return Optional.empty();
        }
    }

    private void submit(WriterTask<ProposalStoreResult> task, int bytes, Consumer<ProposalStoreResult> then) {
        writer.submit(topic, bytes, task, writeResult -> then.accept(decision(writeResult)));
    }

    private ProposalStoreResult decision(WriteResult<ProposalStoreResult> writeResult) {
        return switch (writeResult) {
            case WriteResult.Written<ProposalStoreResult>(ProposalStoreResult proposalStoreResult, var events) ->
                proposalStoreResult;
            case WriteResult.Unavailable<ProposalStoreResult>(String reason, Duration retryAfter) ->
                new ProposalStoreResult.Unavailable(reason, retryAfter);
            case WriteResult.Failed<ProposalStoreResult>(Throwable cause) -> {
                log.atError()
                        .addKeyValue("topic", topic)
                        .setCause(cause)
                        .log("in topic '{}' something could not be decided", topic);
                yield new ProposalStoreResult.Unavailable(
                        "this could not be decided; the gateway's log says why", Duration.ZERO);
            }
        };
    }
}
