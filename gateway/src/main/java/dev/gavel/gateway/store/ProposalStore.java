package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDeciderResult;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalRefusal;
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
 * Updates one topic's proposals: decides on envelopes, expiries and presence changes in ledger order, and appends the
 * resulting events to the ledger. Callbacks run once the result is durable, on the writer's thread, which they must not
 * block. Thread-safe.
 */
public final class ProposalStore {
    private static final Logger log = LoggerFactory.getLogger(ProposalStore.class);

    private final String topicName;
    private volatile ProposalDecider decider;
    private final LedgerWriter writer;
    private final ProposalReader reader;

    /** Confined to the writer's thread. */
    private final ProposalCache proposalCache = new ProposalCache();

    public ProposalStore(String topic, ProposalDecider decider, LedgerWriter writer, LedgerReader ledger) {
        this.topicName = topic;
        this.decider = decider;
        this.writer = writer;
        this.reader = new ProposalReader(topic, () -> this.decider, ledger);
    }

    /** Returns a reader of the events that any process writes to the topic. */
    public UnpublishedEventReader unpublishedEventReader() {
        return reader.unpublishedEventReader();
    }

    /** Returns the reader of the topic's proposals. */
    public ProposalReader reader() {
        return reader;
    }

    /** Uses these members for decisions from now on. Called by one thread only. */
    public void updateMembers(CapabilitiesByMember capabilitiesByMember) {
        decider = new ProposalDecider(decider.settings(), capabilitiesByMember);
    }

    /**
     * Calls back after the callbacks of all requests that were submitted before; those may have been decided with the
     * earlier members.
     */
    public void whenPendingDone(Consumer<ProposalStoreResult> callback) {
        submit(writerTaskContext -> TaskDecision.withoutEvents(new ProposalStoreResult.Unrelated()), 0, callback);
    }

    /** Decides on an envelope that may concern proposals. */
    public void decide(
            AdmittedEnvelope admittedEnvelope,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        submit(
                admittedEnvelope,
                proposalUnitOfWork -> decideByKind(proposalUnitOfWork, admittedEnvelope, presenceSnapshot),
                callback);
    }

    /** Refuses an envelope for this reason, unless it is a resend of an accepted one. */
    public void refuse(
            AdmittedEnvelope admittedEnvelope, ProposalRefusal error, Consumer<ProposalStoreResult> callback) {
        submit(admittedEnvelope, proposalUnitOfWork -> new ProposalDeciderResult.Refused(List.of(error)), callback);
    }

    private void submit(
            AdmittedEnvelope admittedEnvelope,
            Function<ProposalUnitOfWork, ProposalDeciderResult> rule,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    ProposalUnitOfWork proposalUnitOfWork =
                            new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
                    try {
                        Optional<LedgerEvent> earlierEvent = proposalUnitOfWork.eventCausedBy(
                                admittedEnvelope.envelope().id());
                        return earlierEvent.isPresent()
                                ? decideDuplicate(proposalUnitOfWork, earlierEvent.get(), admittedEnvelope)
                                : toTaskDecision(proposalUnitOfWork, rule.apply(proposalUnitOfWork));
                    } catch (ProposalUnitOfWork.TooManyBytesException e) {
                        return toTaskDecision(proposalUnitOfWork, tooLarge(admittedEnvelope));
                    }
                },
                admittedEnvelope.envelope().length(),
                callback);
    }

    /**
     * Decides on an envelope whose id was used before.
     *
     * @param earlierEvent the event that the earlier envelope caused
     */
    private static TaskDecision<ProposalStoreResult> decideDuplicate(
            ProposalUnitOfWork proposalUnitOfWork, LedgerEvent earlierEvent, AdmittedEnvelope admittedEnvelope) {
        ProposalDeciderResult proposalDeciderResult = proposalUnitOfWork
                .decider()
                .decideDuplicate(
                        ProposalUnitOfWork.envelopeOf(Optional.of(earlierEvent)).orElseThrow(),
                        admittedEnvelope,
                        proposalUnitOfWork::findProposal);
        return proposalDeciderResult
                        instanceof ProposalDeciderResult.Duplicate(var storedEnvelope, var proposalRefusals)
                ? TaskDecision.withoutEvents(
                        new ProposalStoreResult.Duplicate(storedEnvelope, proposalRefusals, earlierEvent.seq()))
                : toTaskDecision(proposalUnitOfWork, proposalDeciderResult);
    }

    private static ProposalDeciderResult tooLarge(AdmittedEnvelope admittedEnvelope) {
        return new ProposalDeciderResult.Refused(List.of(new ProposalRefusal(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.TOO_LARGE,
                                "The named proposals are too large to be processed together. Name fewer proposals."),
                Optional.empty(),
                Optional.empty())));
    }

    private static ProposalDeciderResult decideByKind(
            ProposalUnitOfWork proposalUnitOfWork,
            AdmittedEnvelope admittedEnvelope,
            PresenceSnapshot presenceSnapshot) {
        ProposalDecider decider = proposalUnitOfWork.decider();
        Envelope envelope = admittedEnvelope.envelope();
        return switch (envelope.category()) {
            case PROPOSAL -> decider.decideProposal(admittedEnvelope, presenceSnapshot);
            case REQUEST ->
                decider.decideFulfilment(
                        admittedEnvelope,
                        proposalUnitOfWork.findProposal(
                                envelope.correlationIds().getFirst()),
                        presenceSnapshot);
            case RESPONSE ->
                findFulfilledBy(proposalUnitOfWork, envelope)
                        .map(proposalSnapshot -> decider.decideResponse(admittedEnvelope, proposalSnapshot))
                        .orElseGet(ProposalDeciderResult.Unchanged::new);
            case WITHDRAW, REJECT, STATUS -> decider.decideUpdate(admittedEnvelope, proposalUnitOfWork::findProposal);
            case CHAT, SYSTEM, OTHER -> throw new IllegalArgumentException(envelope.kind() + " is not about proposals");
        };
    }

    /** Returns the proposal that was fulfilled by the request to which a response belongs. */
    private static Optional<ProposalSnapshot> findFulfilledBy(
            ProposalUnitOfWork proposalUnitOfWork, Envelope response) {
        return proposalUnitOfWork
                .eventCausedBy(response.correlationIds().getFirst())
                .filter(requestEvent -> ProposalLedgerMapper.toProposalEvent(requestEvent) instanceof Fulfilled)
                .flatMap(requestEvent -> proposalUnitOfWork.findProposal(requestEvent.subject()));
    }

    private static TaskDecision<ProposalStoreResult> toTaskDecision(
            ProposalUnitOfWork proposalUnitOfWork, ProposalDeciderResult proposalDeciderResult) {
        return switch (proposalDeciderResult) {
            case ProposalDeciderResult.Accepted accepted -> {
                proposalUnitOfWork.addEvents(accepted);
                yield proposalUnitOfWork.toCommitted(accepted.errors());
            }
            case ProposalDeciderResult.Refused(List<ProposalRefusal> proposalRefusals) ->
                TaskDecision.withoutEvents(new ProposalStoreResult.Declined(proposalRefusals));
            case ProposalDeciderResult.Duplicate _ ->
                throw new IllegalArgumentException("a new envelope cannot be a duplicate");
            case ProposalDeciderResult.Unchanged() -> TaskDecision.withoutEvents(new ProposalStoreResult.Unrelated());
        };
    }

    /** Records that a proposal's result was not forwarded, because the proposer had stopped waiting. */
    public void markNotForwarded(String proposalId, String error, Consumer<ProposalStoreResult> callback) {
        recordForwarding(
                proposalId, (decider, found) -> decider.markNotForwarded(found, error), error.length(), callback);
    }

    /** Records that a proposal's result is forwarded to its proposer. Does nothing if it was forwarded before. */
    public void markForwarded(String proposalId, Consumer<ProposalStoreResult> callback) {
        recordForwarding(proposalId, ProposalDecider::markForwarded, 0, callback);
    }

    private void recordForwarding(
            String proposalId,
            BiFunction<ProposalDecider, ProposalSnapshot, ProposalDeciderResult> rule,
            int bytes,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    ProposalUnitOfWork proposalUnitOfWork =
                            new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
                    if (loadOrSkip(proposalUnitOfWork, proposalId)
                                    .map(found -> rule.apply(proposalUnitOfWork.decider(), found))
                                    .orElse(null)
                            instanceof ProposalDeciderResult.Accepted accepted) {
                        proposalUnitOfWork.addEvents(accepted);
                    }
                    return proposalUnitOfWork.toCommitted(List.of());
                },
                bytes,
                callback);
    }

    /** Applies the expiries and answer timeouts that are due by now. */
    public void expireDue(Collection<InMemoryPendingProposal> due, Consumer<ProposalStoreResult> callback) {
        sweep(
                due,
                (proposalUnitOfWork, inMemoryPendingProposal, proposalSnapshot, now) ->
                        proposalUnitOfWork.decider().decideTimeout(proposalSnapshot, now),
                callback);
    }

    /** Applies the members' presence to these proposals. */
    public void applyPresence(
            Collection<InMemoryPendingProposal> proposals,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        sweep(
                proposals,
                (proposalUnitOfWork, inMemoryPendingProposal, proposalSnapshot, now) -> proposalUnitOfWork
                        .decider()
                        .applyPresence(proposalSnapshot, inMemoryPendingProposal.reviewers(), presenceSnapshot, now),
                callback);
    }

    /** Computes the eligible reviewers of these proposals again, and applies the members' presence to them. */
    public void applyMembership(
            Collection<InMemoryPendingProposal> open,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        sweep(
                open,
                (proposalUnitOfWork, inMemoryPendingProposal, proposalSnapshot, now) -> {
                    proposalUnitOfWork.includeUnchanged(proposalSnapshot);
                    ProposalDecider decider = proposalUnitOfWork.decider();
                    return decider.applyPresence(
                            proposalSnapshot, decider.eligibleReviewers(proposalSnapshot), presenceSnapshot, now);
                },
                callback);
    }

    /** Decides on one tracked proposal in a sweep. */
    @FunctionalInterface
    private interface SweepRule {
        ProposalDeciderResult decide(
                ProposalUnitOfWork proposalUnitOfWork,
                InMemoryPendingProposal inMemoryPendingProposal,
                ProposalSnapshot proposalSnapshot,
                Instant now);
    }

    private void sweep(
            Collection<InMemoryPendingProposal> inMemoryPendingProposals,
            SweepRule review,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    ProposalUnitOfWork proposalUnitOfWork =
                            new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
                    for (InMemoryPendingProposal inMemoryPendingProposal : inMemoryPendingProposals) {
                        loadOrSkip(proposalUnitOfWork, inMemoryPendingProposal.id())
                                .map(proposalSnapshot -> review.decide(
                                        proposalUnitOfWork,
                                        inMemoryPendingProposal,
                                        proposalSnapshot,
                                        writerTaskContext.now()))
                                .filter(ProposalDeciderResult.Accepted.class::isInstance)
                                .map(ProposalDeciderResult.Accepted.class::cast)
                                .ifPresent(proposalUnitOfWork::addEvents);
                    }
                    return proposalUnitOfWork.toCommitted(List.of());
                },
                0,
                callback);
    }

    /** A proposal that cannot be read must not block the sweep of the others. */
    private Optional<ProposalSnapshot> loadOrSkip(ProposalUnitOfWork proposalUnitOfWork, String id) {
        try {
            return proposalUnitOfWork.findProposal(id);
        } catch (LedgerException | ProposalUnitOfWork.TooManyBytesException e) {
            log.atError()
                    .addKeyValue("topic", topicName)
                    .addKeyValue("proposal", id)
                    .log(
                            "Topic '{}': the proposal '{}' cannot be read and is skipped: {}",
                            topicName,
                            id,
                            e.getMessage());
            return Optional.empty();
        }
    }

    private void submit(WriterTask<ProposalStoreResult> task, int bytes, Consumer<ProposalStoreResult> callback) {
        writer.submit(topicName, bytes, task, writeResult -> callback.accept(toResult(writeResult)));
    }

    private ProposalStoreResult toResult(WriteResult<ProposalStoreResult> writeResult) {
        return switch (writeResult) {
            case WriteResult.Written<ProposalStoreResult>(ProposalStoreResult proposalStoreResult, var events) ->
                proposalStoreResult;
            case WriteResult.Unavailable<ProposalStoreResult>(String reason, Duration retryAfter) ->
                new ProposalStoreResult.Unavailable(reason, retryAfter);
            case WriteResult.Failed<ProposalStoreResult>(Throwable cause) -> {
                log.atError()
                        .addKeyValue("topic", topicName)
                        .setCause(cause)
                        .log("Topic '{}': a decision on a proposal failed.", topicName);
                yield new ProposalStoreResult.Unavailable(
                        "an internal error occurred; see the gateway's log", Duration.ZERO);
            }
        };
    }
}
