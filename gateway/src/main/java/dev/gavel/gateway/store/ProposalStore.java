package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.MemberCapabilities;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDeciderResult;
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
 * Stores one topic's proposals: decides on envelopes about them in ledger order, and appends the resulting events to
 * the ledger. Callbacks run once the result is durable, on the writer's thread, which they must not block. Thread-safe.
 */
public final class ProposalStore {
    private static final Logger log = LoggerFactory.getLogger(ProposalStore.class);

    private final String topic;
    private volatile ProposalDecider decider;
    private final LedgerWriter writer;
    private final ProposalReader reader;

    /** Confined to the writer's thread. */
    private final ProposalCache proposalCache = new ProposalCache();

    public ProposalStore(String topic, ProposalDecider decider, LedgerWriter writer, LedgerReader ledger) {
        this.topic = topic;
        this.decider = decider;
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
    public void afterPending(Consumer<ProposalStoreResult> callback) {
        submit(writerTaskContext -> TaskDecision.withoutEvents(new ProposalStoreResult.Unrelated()), 0, callback);
    }

    /** Decides on an envelope that may concern proposals. */
    public void decide(
            AdmittedEnvelope admittedEnvelope,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        submit(
                admittedEnvelope,
                decisionContext -> decideByKind(decisionContext, admittedEnvelope, presenceSnapshot),
                callback);
    }

    /** Refuses an envelope for this reason, unless it is a resend of an accepted one. */
    public void refuse(AdmittedEnvelope admittedEnvelope, ProposalError why, Consumer<ProposalStoreResult> callback) {
        submit(admittedEnvelope, decisionContext -> new ProposalDeciderResult.Declined(List.of(why)), callback);
    }

    private void submit(
            AdmittedEnvelope admittedEnvelope,
            Function<DecisionContext, ProposalDeciderResult> rule,
            Consumer<ProposalStoreResult> callback) {
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
                        return commit(decisionContext, tooLarge(admittedEnvelope));
                    }
                },
                admittedEnvelope.envelope().length(),
                callback);
    }

    /**
     * Decides on an envelope whose id was used before.
     *
     * @param before the event that the earlier envelope caused
     */
    private static TaskDecision<ProposalStoreResult> decideDuplicate(
            DecisionContext decisionContext, LedgerEvent before, AdmittedEnvelope admittedEnvelope) {
        ProposalDeciderResult proposalDeciderResult = decisionContext
                .decider()
                .decideDuplicate(
                        DecisionContext.envelopeOf(Optional.of(before)).orElseThrow(),
                        admittedEnvelope,
                        decisionContext::proposal);
        return proposalDeciderResult instanceof ProposalDeciderResult.Duplicate(var storedEnvelope, var proposalErrors)
                ? TaskDecision.withoutEvents(
                        new ProposalStoreResult.Duplicate(storedEnvelope, proposalErrors, before.seq()))
                : commit(decisionContext, proposalDeciderResult);
    }

    private static ProposalDeciderResult tooLarge(AdmittedEnvelope admittedEnvelope) {
        return new ProposalDeciderResult.Declined(List.of(new ProposalError(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.TOO_LARGE,
                                "The proposals this is about are too large to be decided on together; name fewer."),
                Optional.empty(),
                Optional.empty())));
    }

    private static ProposalDeciderResult decideByKind(
            DecisionContext decisionContext, AdmittedEnvelope admittedEnvelope, PresenceSnapshot presenceSnapshot) {
        ProposalDecider decider = decisionContext.decider();
        Envelope envelope = admittedEnvelope.envelope();
        return switch (envelope.category()) {
            case PROPOSAL -> decider.propose(admittedEnvelope, presenceSnapshot);
            case REQUEST ->
                decider.fulfil(
                        admittedEnvelope,
                        decisionContext.proposal(envelope.correlationIds().getFirst()),
                        presenceSnapshot);
            case RESPONSE ->
                findFulfilledBy(decisionContext, envelope)
                        .map(proposalSnapshot -> decider.answer(admittedEnvelope, proposalSnapshot))
                        .orElseGet(ProposalDeciderResult.Unchanged::new);
            case WITHDRAW, REJECT, STATUS -> decider.decideRemark(admittedEnvelope, decisionContext::proposal);
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
            DecisionContext decisionContext, ProposalDeciderResult proposalDeciderResult) {
        return switch (proposalDeciderResult) {
            case ProposalDeciderResult.Accepted accepted -> {
                decisionContext.append(accepted);
                yield decisionContext.toCommitted(accepted.errors());
            }
            case ProposalDeciderResult.Declined(List<ProposalError> proposalErrors) ->
                TaskDecision.withoutEvents(new ProposalStoreResult.Declined(proposalErrors));
            case ProposalDeciderResult.Duplicate _ ->
                throw new IllegalArgumentException("only what came before is echoed");
            case ProposalDeciderResult.Unchanged() -> TaskDecision.withoutEvents(new ProposalStoreResult.Unrelated());
        };
    }

    /** Records that a proposal's result was not forwarded, because the proposer had stopped waiting. */
    public void markNotForwarded(String proposal, String why, Consumer<ProposalStoreResult> callback) {
        recordForwarding(proposal, (decider, found) -> decider.markNotForwarded(found, why), why.length(), callback);
    }

    /** Records that a proposal's result is forwarded to its proposer. Does nothing if it was forwarded before. */
    public void markForwarded(String proposal, Consumer<ProposalStoreResult> callback) {
        recordForwarding(proposal, ProposalDecider::markForwarded, 0, callback);
    }

    private void recordForwarding(
            String proposal,
            BiFunction<ProposalDecider, ProposalSnapshot, ProposalDeciderResult> rule,
            int bytes,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    DecisionContext decisionContext = new DecisionContext(writerTaskContext, decider, proposalCache);
                    if (loadOrSkip(decisionContext, proposal)
                                    .map(found -> rule.apply(decisionContext.decider(), found))
                                    .orElse(null)
                            instanceof ProposalDeciderResult.Accepted accepted) {
                        decisionContext.append(accepted);
                    }
                    return decisionContext.toCommitted(List.of());
                },
                bytes,
                callback);
    }

    /** Applies the expiries and answer timeouts that are due by now. */
    public void expireDue(Collection<TrackedProposal> due, Consumer<ProposalStoreResult> callback) {
        review(
                due,
                (decisionContext, trackedProposal, proposalSnapshot, now) ->
                        decisionContext.decider().expireDue(proposalSnapshot, now),
                callback);
    }

    /** Applies the members' presence to these proposals. */
    public void applyPresence(
            Collection<TrackedProposal> proposals,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        review(
                proposals,
                (decisionContext, trackedProposal, proposalSnapshot, now) -> decisionContext
                        .decider()
                        .applyPresence(proposalSnapshot, trackedProposal.reviewers(), presenceSnapshot, now),
                callback);
    }

    /** Computes the eligible reviewers of these proposals again, and applies the members' presence to them. */
    public void applyMembership(
            Collection<TrackedProposal> open,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        review(
                open,
                (decisionContext, trackedProposal, proposalSnapshot, now) -> {
                    decisionContext.includeUnchanged(proposalSnapshot);
                    ProposalDecider decider = decisionContext.decider();
                    return decider.applyPresence(
                            proposalSnapshot, decider.eligibleReviewers(proposalSnapshot), presenceSnapshot, now);
                },
                callback);
    }

    /** Decides on one tracked proposal in a sweep. */
    @FunctionalInterface
    private interface ProposalReview {
        ProposalDeciderResult decide(
                DecisionContext decisionContext,
                TrackedProposal trackedProposal,
                ProposalSnapshot proposalSnapshot,
                Instant now);
    }

    private void review(
            Collection<TrackedProposal> trackedProposals,
            ProposalReview review,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    DecisionContext decisionContext = new DecisionContext(writerTaskContext, decider, proposalCache);
                    for (TrackedProposal trackedProposal : trackedProposals) {
                        loadOrSkip(decisionContext, trackedProposal.id())
                                .map(proposalSnapshot -> review.decide(
                                        decisionContext, trackedProposal, proposalSnapshot, writerTaskContext.now()))
                                .filter(ProposalDeciderResult.Accepted.class::isInstance)
                                .map(ProposalDeciderResult.Accepted.class::cast)
                                .ifPresent(decisionContext::append);
                    }
                    return decisionContext.toCommitted(List.of());
                },
                0,
                callback);
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

    private void submit(WriterTask<ProposalStoreResult> task, int bytes, Consumer<ProposalStoreResult> callback) {
        writer.submit(topic, bytes, task, writeResult -> callback.accept(toResult(writeResult)));
    }

    private ProposalStoreResult toResult(WriteResult<ProposalStoreResult> writeResult) {
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
