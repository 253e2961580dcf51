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
 * What happens to them is decided in the ledger's order, and told once it is durable: on the writer's thread, which
 * whoever is told must not hold up. Thread-safe.
 */
public final class ProposalStore {
    private static final Logger log = LoggerFactory.getLogger(ProposalStore.class);

    private final String topic;
    private volatile ProposalDecider decider;
    private final LedgerWriter writer;
    private final ProposalReader reader;

    /** The writer's thread alone uses it. */
    private final ProposalCache proposalCache = new ProposalCache();

    public ProposalStore(String topic, ProposalDecider life, LedgerWriter writer, LedgerReader ledger) {
        this.topic = topic;
        this.decider = life;
        this.writer = writer;
        this.reader = new ProposalReader(topic, () -> this.decider, ledger);
    }

    /** Reads what other processes write to it. */
    public ProposalTailReader tailReader() {
        return reader.tailReader();
    }

    /** What can be read of it. */
    public ProposalReader reader() {
        return reader;
    }

    /** Decides among other members from now on; one thread alone calls this. */
    public void updateMembers(MemberCapabilities memberCapabilities) {
        decider = new ProposalDecider(decider.settings(), memberCapabilities);
    }

    /** Tells when everything has been told that was handed in before, and so may have been decided otherwise. */
    public void afterPending(Consumer<ProposalStoreResult> then) {
        submit(writerTaskContext -> TaskDecision.nothing(new ProposalStoreResult.Unrelated()), 0, then);
    }

    /** Takes an envelope that may be about proposals. */
    public void decide(
            AdmittedEnvelope admittedEnvelope, PresenceSnapshot presenceSnapshot, Consumer<ProposalStoreResult> then) {
        submit(
                admittedEnvelope,
                decisionContext -> decideByKind(decisionContext, admittedEnvelope, presenceSnapshot),
                then);
    }

    /** Takes an envelope that is refused for this reason, unless it is one that was taken before. */
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

    /** An envelope of that id came before, and caused this. */
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

    /** The proposal that was fulfilled by the request a response answers. */
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

    /** Notes that what came of a proposal reached nobody, because its proposer had stopped waiting. */
    public void markNotForwarded(String proposal, String why, Consumer<ProposalStoreResult> then) {
        recordForwarding(proposal, (by, found) -> by.markNotForwarded(found, why), why.length(), then);
    }

    /** Notes that what came of a proposal is handed on to its proposer; nothing happens where it was before. */
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

    /** Carries out what time has brought to these proposals by now. */
    public void expireDue(Collection<TrackedProposal> due, Consumer<ProposalStoreResult> then) {
        review(
                due,
                (decisionContext, trackedProposal, proposalSnapshot, now) ->
                        decisionContext.decider().expireDue(proposalSnapshot, now),
                then);
    }

    /** Sees whether those who are here, or no longer here, change anything about these proposals by now. */
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

    /** Works out anew whom these proposals depend on, and sees whether that changes anything by now. */
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

    /** Says what comes of a proposal that is looked at again. */
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

    /** One that cannot be read must not keep the others from being seen to. */
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
