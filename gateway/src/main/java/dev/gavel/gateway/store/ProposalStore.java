package dev.gavel.gateway.store;

import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDeciderResult;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.proposal.ProposalNotice;
import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.tool.EditedArgumentsCheck;
import dev.gavel.gateway.tool.EditedArgumentsCheck.ArgumentCheckResult;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTask;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates one topic's proposals: decides on envelopes, expiries and absent members in ledger order, and appends the
 * resulting events to the ledger. Callbacks run once the result is durable, on the writer's thread, which they must not
 * block. Thread-safe.
 */
public final class ProposalStore {
    private static final Logger log = LoggerFactory.getLogger(ProposalStore.class);

    /** The states that a proposal can reach because time passes. */
    private static final Set<ProposalState> TIMED_END_STATES = Set.of(ProposalState.EXPIRED, ProposalState.WITHDRAWN);

    /** How many proposals one task withdraws; each is read completely. */
    private static final int MAX_WITHDRAWALS = 25;

    private final String topicName;
    private volatile ProposalDecider decider;
    private final ProposalLimitChecker limitChecker;
    private volatile IdentityAccessSource accessSource = IdentityAccessSource.UNRESTRICTED;
    private final LedgerWriter writer;
    private final ProposalReader reader;
    private final ToolBaselineStore toolBaselines;

    /** Confined to the writer's thread. */
    private final ProposalCache proposalCache = new ProposalCache();

    /** Confined to the writer's thread. */
    private final EqualProposalFinder equalProposalFinder = new EqualProposalFinder();

    /** Creates the store of a topic without limits on its members. */
    public ProposalStore(String topic, ProposalDecider decider, LedgerWriter writer, LedgerReader ledger) {
        this(topic, decider, ProposalLimits.NONE, writer, ledger);
    }

    public ProposalStore(
            String topic,
            ProposalDecider decider,
            ProposalLimits proposalLimits,
            LedgerWriter writer,
            LedgerReader ledger) {
        this.limitChecker = new ProposalLimitChecker(proposalLimits);
        this.topicName = topic;
        this.decider = decider;
        this.writer = writer;
        this.toolBaselines = new ToolBaselineStore(topic, writer, ledger);
        this.reader = new ProposalReader(topic, () -> this.decider, ledger, toolBaselines);
    }

    /** Returns the definitions of tools that persons approved last in the topic. */
    public ToolBaselineStore toolBaselines() {
        return toolBaselines;
    }

    /** Returns a reader of the events that any process writes to the topic. */
    public UnpublishedEventReader unpublishedEventReader() {
        return reader.unpublishedEventReader();
    }

    /** Returns which members can read the topic's proposals. */
    public ProposalVisibility visibility() {
        return decider.settings().visibility();
    }

    /** Returns the patterns of secret arguments that the configuration sets for the topic. */
    public SecretArgumentPatterns secrets() {
        return decider.settings().secrets();
    }

    /** Whether a participant could answer a call of this kind, as far as its capabilities are known. */
    public boolean mayAnswer(String participant, Kind call) {
        return decider.mayAnswer(participant, call);
    }

    public String topicName() {
        return topicName;
    }

    /** Returns the reader of the topic's proposals. */
    public ProposalReader reader() {
        return reader;
    }

    /** Returns the names by which texts for one reader call the members that a proposal concerns. */
    public MemberNames namesFor(ProposalSnapshot proposalSnapshot, String readerId) {
        return decider.namesFor(proposalSnapshot, readerId);
    }

    /** Uses these members for decisions from now on. Called by one thread only. */
    public void updateMembers(CapabilitiesByMember capabilitiesByMember) {
        decider = new ProposalDecider(decider.settings(), capabilitiesByMember);
    }

    /** Checks the access of senders and proposers with this source from now on. */
    public void setAccessSource(IdentityAccessSource identityAccessSource) {
        accessSource = identityAccessSource;
    }

    /**
     * Returns the access at the time of a task. A revocation that another process or an earlier task of the batch wrote
     * counts, even if it is not in effect in this process yet.
     */
    private IdentityAccessSource.AccessSnapshot accessAt(WriterTaskContext writerTaskContext) {
        IdentityAccessSource.AccessSnapshot accessSnapshot = accessSource.current();
        if (accessSnapshot.seq() == Long.MAX_VALUE) {
            return accessSnapshot;
        }
        List<LedgerEvent> newer = writerTaskContext.identityEventsAfter(accessSnapshot.seq());
        return newer.isEmpty() ? accessSnapshot : accessSnapshot.withEvents(newer);
    }

    /**
     * Withdraws a bounded number of open proposals whose proposers have lost their access to the topic.
     *
     * @param identity the proposer to check; empty for all proposers
     * @param callback the second argument is whether more such proposals may be open
     */
    public void withdrawForEndedAccess(Optional<String> identity, BiConsumer<ProposalStoreResult, Boolean> callback) {
        AtomicBoolean more = new AtomicBoolean();
        writer.<ProposalStoreResult>submitEssential(
                topicName,
                writerTaskContext -> {
                    ProposalUnitOfWork proposalUnitOfWork =
                            new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
                    more.set(withdrawForEndedAccess(writerTaskContext, identity, proposalUnitOfWork));
                    return proposalUnitOfWork.toCommitted(List.of(), List.of());
                },
                writeResult -> callback.accept(toResult(writeResult), more.get()));
    }

    private boolean withdrawForEndedAccess(
            WriterTaskContext writerTaskContext, Optional<String> identity, ProposalUnitOfWork proposalUnitOfWork) {
        IdentityAccessSource.AccessSnapshot accessSnapshot = accessAt(writerTaskContext);
        Instant now = writerTaskContext.now();
        if (identity.isPresent()
                && accessSnapshot
                        .accessEndReason(topicName, identity.get(), now)
                        .isEmpty()) {
            return false;
        }
        Map<String, Optional<String>> reasons = new HashMap<>();
        int withdrawn = 0;
        for (SubjectSummary summary : writerTaskContext.openSubjects()) {
            if (identity.isPresent() && !identity.get().equals(summary.owner())) {
                continue;
            }
            Optional<String> reason = reasons.computeIfAbsent(
                    summary.owner(), owner -> accessSnapshot.accessEndReason(topicName, owner, now));
            if (reason.isPresent()
                    && loadOrSkip(proposalUnitOfWork, summary.subject())
                                    .map(found -> proposalUnitOfWork
                                            .decider()
                                            .withdrawForEndedAccess(found, reason.get(), now))
                                    .orElse(null)
                            instanceof ProposalDeciderResult.Accepted accepted) {
                proposalUnitOfWork.addEvents(accepted);
                withdrawn++;
                if (withdrawn == MAX_WITHDRAWALS) {
                    return true;
                }
            }
        }
        return false;
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
        decide(
                admittedEnvelope,
                presenceSnapshot,
                TopicTools.NONE,
                Optional.empty(),
                new SenderOrderBarrier().at(0),
                callback);
    }

    /**
     * Decides on an envelope that may concern proposals.
     *
     * @param tools the tools that the topic's participants offer
     * @param argumentCheckResult the result of the check that an earlier decision on this envelope asked for
     * @param position the envelope's position among the envelopes of its sender
     */
    public void decide(
            AdmittedEnvelope admittedEnvelope,
            PresenceSnapshot presenceSnapshot,
            TopicTools tools,
            Optional<ArgumentCheckResult> argumentCheckResult,
            SenderOrderBarrier.Position position,
            Consumer<ProposalStoreResult> callback) {
        submit(
                admittedEnvelope,
                position,
                proposalUnitOfWork -> decideByKind(
                        proposalUnitOfWork, admittedEnvelope, presenceSnapshot, tools, argumentCheckResult),
                callback);
    }

    /** Refuses an envelope for this reason, unless it is a resend of an accepted one. */
    public void refuse(
            AdmittedEnvelope admittedEnvelope,
            ProposalRefusal error,
            SenderOrderBarrier.Position position,
            Consumer<ProposalStoreResult> callback) {
        submit(
                admittedEnvelope,
                position,
                proposalUnitOfWork -> new ProposalDeciderResult.Refused(List.of(error)),
                callback);
    }

    private void submit(
            AdmittedEnvelope admittedEnvelope,
            SenderOrderBarrier.Position position,
            Function<ProposalUnitOfWork, ProposalDeciderResult> rule,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    if (position.mustWait()) {
                        return TaskDecision.withoutEvents(new ProposalStoreResult.Deferred());
                    }
                    TaskDecision<ProposalStoreResult> decision = decide(writerTaskContext, admittedEnvelope, rule);
                    if (decision.result() instanceof ProposalStoreResult.ArgumentCheckRequired) {
                        position.startWait();
                    } else {
                        // A store may decide a batch more than once; the earlier decision may have started the wait.
                        position.endWait();
                    }
                    return decision;
                },
                admittedEnvelope.envelope().length(),
                result -> {
                    // If the batch was not written, no check starts, although the decision asked for one.
                    if (!(result instanceof ProposalStoreResult.ArgumentCheckRequired)) {
                        position.endWait();
                    }
                    callback.accept(result);
                });
    }

    private TaskDecision<ProposalStoreResult> decide(
            WriterTaskContext writerTaskContext,
            AdmittedEnvelope admittedEnvelope,
            Function<ProposalUnitOfWork, ProposalDeciderResult> rule) {
        ProposalUnitOfWork proposalUnitOfWork = new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
        try {
            Optional<LedgerEvent> earlierEvent =
                    proposalUnitOfWork.eventCausedBy(admittedEnvelope.envelope().id());
            return earlierEvent.isPresent()
                    ? decideDuplicate(proposalUnitOfWork, earlierEvent.get(), admittedEnvelope)
                    : decideNew(writerTaskContext, proposalUnitOfWork, admittedEnvelope, rule);
        } catch (ProposalUnitOfWork.TooManyBytesException e) {
            return toTaskDecision(proposalUnitOfWork, tooLarge(admittedEnvelope), admittedEnvelope);
        }
    }

    private TaskDecision<ProposalStoreResult> decideNew(
            WriterTaskContext writerTaskContext,
            ProposalUnitOfWork proposalUnitOfWork,
            AdmittedEnvelope admittedEnvelope,
            Function<ProposalUnitOfWork, ProposalDeciderResult> rule) {
        Optional<ProposalDeciderResult> refusal =
                accessRefusal(writerTaskContext, proposalUnitOfWork, admittedEnvelope);
        Optional<ProposalStoreResult.EqualProposal> equalProposal =
                refusal.isEmpty() && admittedEnvelope.joinsEqualProposal()
                        ? equalProposalFinder.find(writerTaskContext, proposalUnitOfWork, admittedEnvelope)
                        : Optional.empty();
        return equalProposal.isPresent()
                ? TaskDecision.withoutEvents(equalProposal.get())
                : toTaskDecision(
                        proposalUnitOfWork,
                        refusal.or(() -> limitRefusal(writerTaskContext, admittedEnvelope))
                                .orElseGet(() -> rule.apply(proposalUnitOfWork)),
                        admittedEnvelope);
    }

    /**
     * Refuses an envelope whose sender's access or token has ended since it was admitted, and an approval of a proposal
     * whose proposer has lost its access. A response is still accepted: it reports a call that is already running.
     */
    private Optional<ProposalDeciderResult> accessRefusal(
            WriterTaskContext writerTaskContext,
            ProposalUnitOfWork proposalUnitOfWork,
            AdmittedEnvelope admittedEnvelope) {
        Envelope envelope = admittedEnvelope.envelope();
        if (envelope.category() == KindCategory.RESPONSE) {
            return Optional.empty();
        }
        IdentityAccessSource.AccessSnapshot accessSnapshot = accessAt(writerTaskContext);
        Instant now = writerTaskContext.now();
        Optional<ProposalRefusal> senderRefusal = accessSnapshot
                .accessEndReason(topicName, admittedEnvelope.from(), now)
                .or(() -> admittedEnvelope
                        .tokenHash()
                        .flatMap(hash -> accessSnapshot.tokenEndReason(admittedEnvelope.from(), hash, now)))
                .map(reason -> new ProposalRefusal(
                        envelope.refuse(
                                EnvelopeErrorCode.ACCESS_ENDED, "Not done: " + reason + ". Ask an admin for access."),
                        Optional.empty(),
                        Optional.empty()));
        return senderRefusal
                .or(() -> envelope.category() == KindCategory.REQUEST
                        ? proposalUnitOfWork
                                .findProposal(envelope.correlationIds().getFirst())
                                .filter(ProposalSnapshot::isOpen)
                                .flatMap(proposal -> accessSnapshot
                                        .accessEndReason(topicName, proposal.proposer(), now)
                                        .map(reason -> ProposalRefusal.about(
                                                proposal,
                                                admittedEnvelope,
                                                EnvelopeErrorCode.PROPOSAL_CLOSED,
                                                "The gateway withdraws the proposal, because " + reason
                                                        + ". Your request was not forwarded.")))
                        : Optional.empty())
                .map(refusal -> new ProposalDeciderResult.Refused(List.of(refusal)));
    }

    private Optional<ProposalDeciderResult> limitRefusal(
            WriterTaskContext writerTaskContext, AdmittedEnvelope admittedEnvelope) {
        return limitChecker
                .check(
                        admittedEnvelope,
                        writerTaskContext.now(),
                        starts -> writerTaskContext.ownerUsage(admittedEnvelope.from(), starts))
                .map(refusal -> new ProposalDeciderResult.Refused(List.of(refusal)));
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
                        Objects.requireNonNull(ProposalLedgerMapper.toProposalEvent(earlierEvent)
                                .sentEnvelope()),
                        admittedEnvelope,
                        proposalUnitOfWork::findProposal);
        if (!(proposalDeciderResult
                instanceof
                ProposalDeciderResult.Duplicate(var storedEnvelope, var proposalRefusals, var rejectionEffects))) {
            return toTaskDecision(proposalUnitOfWork, proposalDeciderResult, admittedEnvelope);
        }
        Optional<ProposalSnapshot> withoutEffect =
                ProposalLedgerMapper.toProposalEvent(earlierEvent) instanceof ApprovalHeld
                        ? proposalUnitOfWork
                                .findProposal(earlierEvent.subject())
                                .filter(proposal -> !proposal.isFulfilledBy(storedEnvelope.id()))
                        : Optional.empty();
        if (withoutEffect.isPresent() && !withoutEffect.get().isHeldApproval(storedEnvelope.id())) {
            return toTaskDecision(
                    proposalUnitOfWork, droppedApproval(withoutEffect.get(), admittedEnvelope), admittedEnvelope);
        }
        return TaskDecision.withoutEvents(new ProposalStoreResult.Duplicate(
                storedEnvelope,
                proposalRefusals,
                earlierEvent.seq(),
                rejectionEffects,
                withoutEffect.map(proposal -> heldNotice(proposal, storedEnvelope.id(), earlierEvent))));
    }

    private static OutgoingProposalMessage heldNotice(
            ProposalSnapshot proposalSnapshot, String envelope, LedgerEvent event) {
        return new OutgoingProposalMessage.NoticeMessage(
                event.seq(),
                event.at(),
                new ProposalNotice(new SystemMessage.ApprovalHeld(proposalSnapshot.id(), envelope), List.of()),
                Optional.empty());
    }

    /** Refuses an approval that is sent again although it was held and did not take effect. */
    private static ProposalDeciderResult droppedApproval(
            ProposalSnapshot proposalSnapshot, AdmittedEnvelope admittedEnvelope) {
        return new ProposalDeciderResult.Refused(List.of(ProposalRefusal.about(
                proposalSnapshot,
                admittedEnvelope,
                proposalSnapshot.isOpen() ? EnvelopeErrorCode.DUPLICATE_ID : EnvelopeErrorCode.PROPOSAL_CLOSED,
                proposalSnapshot.isOpen()
                        ? "Your approval was held, and could not take effect when the caller called again. To approve the"
                                + " proposal, send the request with a new id."
                        : "Your approval was held, and the proposal was closed before the caller called again, so the call"
                                + " did not run.")));
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
            PresenceSnapshot presenceSnapshot,
            TopicTools tools,
            Optional<ArgumentCheckResult> argumentCheckResult) {
        ProposalDecider decider = proposalUnitOfWork.decider();
        Envelope envelope = admittedEnvelope.envelope();
        return switch (envelope.category()) {
            case PROPOSAL -> decider.decideProposal(admittedEnvelope, tools);
            case REQUEST ->
                decider.decideFulfilment(
                        admittedEnvelope,
                        proposalUnitOfWork.findProposal(
                                envelope.correlationIds().getFirst()),
                        presenceSnapshot,
                        tools,
                        argumentCheckResult);
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
                .filter(requestEvent -> switch (ProposalLedgerMapper.toProposalEvent(requestEvent)) {
                    case Fulfilled _, ApprovalHeld _ -> true;
                    default -> false;
                })
                .flatMap(requestEvent -> proposalUnitOfWork.findProposal(requestEvent.subject()))
                .filter(proposal ->
                        proposal.isFulfilledBy(response.correlationIds().getFirst()));
    }

    private static TaskDecision<ProposalStoreResult> toTaskDecision(
            ProposalUnitOfWork proposalUnitOfWork,
            ProposalDeciderResult proposalDeciderResult,
            AdmittedEnvelope admittedEnvelope) {
        return switch (proposalDeciderResult) {
            case ProposalDeciderResult.Accepted accepted -> {
                proposalUnitOfWork.addEvents(accepted);
                recordExpiries(proposalUnitOfWork, accepted.errors(), admittedEnvelope);
                yield proposalUnitOfWork.toCommitted(accepted.errors(), accepted.rejectionEffects());
            }
            case ProposalDeciderResult.Refused(List<ProposalRefusal> proposalRefusals) -> {
                recordExpiries(proposalUnitOfWork, proposalRefusals, admittedEnvelope);
                yield proposalUnitOfWork.toDeclined(proposalRefusals);
            }
            case ProposalDeciderResult.Duplicate _ ->
                throw new IllegalArgumentException("a new envelope cannot be a duplicate");
            case ProposalDeciderResult.ArgumentCheckRequired(EditedArgumentsCheck request) ->
                TaskDecision.withoutEvents(new ProposalStoreResult.ArgumentCheckRequired(request));
            case ProposalDeciderResult.Unchanged() -> TaskDecision.withoutEvents(new ProposalStoreResult.Unrelated());
        };
    }

    /**
     * Records that proposals have expired, or were withdrawn because the caller did not call again, if these errors
     * report it to the sender. Another process may hold an envelope that it received before the expiry, even the same
     * envelope, and decide on it later. Without the record, it would accept that envelope, and the errors would be
     * wrong.
     */
    private static void recordExpiries(
            ProposalUnitOfWork proposalUnitOfWork,
            List<ProposalRefusal> proposalRefusals,
            AdmittedEnvelope admittedEnvelope) {
        for (ProposalRefusal proposalRefusal : proposalRefusals) {
            if (proposalRefusal.state().filter(TIMED_END_STATES::contains).isPresent()
                    && proposalUnitOfWork
                                    .findProposal(proposalRefusal.proposal().orElseThrow())
                                    .map(found -> proposalUnitOfWork
                                            .decider()
                                            .decideTimeout(found, admittedEnvelope.receivedAt()))
                                    .orElse(null)
                            instanceof ProposalDeciderResult.Accepted expired) {
                proposalUnitOfWork.addEvents(expired);
            }
        }
    }

    /**
     * Records that a proposal's result was not forwarded, because the proposer had stopped waiting. Does nothing if
     * another process has forwarded it.
     */
    public void markNotForwarded(String proposalId, String error, Consumer<ProposalStoreResult> callback) {
        recordUpdate(proposalId, (decider, found) -> decider.markNotForwarded(found, error), error.length(), callback);
    }

    /** Revokes that a process forwarded a proposal's result: the proposer had stopped waiting there. */
    public void revokeForwarded(
            String proposalId, String process, String error, Consumer<ProposalStoreResult> callback) {
        recordUpdate(
                proposalId,
                (decider, found) -> decider.revokeForwarded(found, process, error),
                error.length(),
                callback);
    }

    /**
     * Records that a process forwards a proposal's result to its proposer. Does nothing if any process forwarded it
     * before.
     */
    public void markForwarded(String proposalId, String process, Consumer<ProposalStoreResult> callback) {
        recordUpdate(proposalId, (decider, found) -> decider.markForwarded(found, process), process.length(), callback);
    }

    /**
     * Records that a process forwards a proposal's result to its proposer. Does nothing if this process forwarded it
     * before.
     */
    public void markAlsoForwarded(String proposalId, String process, Consumer<ProposalStoreResult> callback) {
        recordUpdate(
                proposalId, (decider, found) -> decider.markAlsoForwarded(found, process), process.length(), callback);
    }

    /**
     * Records that the MCP client that made the call waits at this process now. A held approval takes effect. Changes
     * nothing if the caller has lost its access: the gateway withdraws its proposals.
     */
    public void recordCallerWaits(
            String proposalId,
            String process,
            PresenceSnapshot presenceSnapshot,
            TopicTools tools,
            Consumer<ProposalStoreResult> callback) {
        update(
                proposalId,
                (writerTaskContext, found) -> accessAt(writerTaskContext)
                                .accessEndReason(topicName, found.proposer(), writerTaskContext.now())
                                .isPresent()
                        ? new ProposalDeciderResult.Unchanged()
                        : decider.recordCallerWaits(
                                found,
                                process,
                                presenceSnapshot,
                                tools,
                                held -> isAccessEnded(writerTaskContext, held),
                                writerTaskContext.now()),
                process.length(),
                callback);
    }

    /** Whether the reviewer of a held approval, or the token with which it was sent, has no access any more. */
    private boolean isAccessEnded(WriterTaskContext writerTaskContext, ApprovalHeld held) {
        IdentityAccessSource.AccessSnapshot accessSnapshot = accessAt(writerTaskContext);
        Instant now = writerTaskContext.now();
        String tokenHash = held.tokenHash();
        return accessSnapshot.accessEndReason(topicName, held.actor(), now).isPresent()
                || (tokenHash != null
                        && accessSnapshot
                                .tokenEndReason(held.actor(), tokenHash, now)
                                .isPresent());
    }

    /**
     * Records that the MCP client that made the call lost its connection at a process.
     *
     * @param linger how long the client has to call again; empty until the proposal expires
     */
    public void recordCallerDisconnected(
            String proposalId, String process, Optional<Duration> linger, Consumer<ProposalStoreResult> callback) {
        update(
                proposalId,
                (writerTaskContext, found) ->
                        decider.recordCallerDisconnected(found, process, linger, writerTaskContext.now()),
                process.length(),
                callback);
    }

    /** Records that a member is shown a proposal's secret arguments, if the member could approve the proposal. */
    public void recordReveal(String proposalId, String member, Consumer<ProposalStoreResult> callback) {
        recordUpdate(proposalId, (decider, found) -> decider.reveal(found, member), 0, callback);
    }

    /** Returns a proposal as it may be shown: with markers in place of its secret arguments. */
    public ProposalSnapshot redact(ProposalSnapshot proposalSnapshot) {
        return decider.redact(proposalSnapshot);
    }

    private void recordUpdate(
            String proposalId,
            BiFunction<ProposalDecider, ProposalSnapshot, ProposalDeciderResult> rule,
            int bytes,
            Consumer<ProposalStoreResult> callback) {
        update(proposalId, (writerTaskContext, found) -> rule.apply(decider, found), bytes, callback);
    }

    private void update(
            String proposalId,
            BiFunction<WriterTaskContext, ProposalSnapshot, ProposalDeciderResult> rule,
            int bytes,
            Consumer<ProposalStoreResult> callback) {
        submit(
                writerTaskContext -> {
                    ProposalUnitOfWork proposalUnitOfWork =
                            new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
                    if (loadOrSkip(proposalUnitOfWork, proposalId)
                                    .map(found -> rule.apply(writerTaskContext, found))
                                    .orElse(null)
                            instanceof ProposalDeciderResult.Accepted accepted) {
                        proposalUnitOfWork.addEvents(accepted);
                    }
                    return proposalUnitOfWork.toCommitted(List.of(), List.of());
                },
                bytes,
                callback);
    }

    /** Applies the expiries and answer timeouts that are due by now. */
    public void expireDue(Collection<InMemoryPendingProposal> due, Consumer<ProposalStoreResult> callback) {
        sweep(
                due,
                (proposalUnitOfWork, proposalSnapshot, now) ->
                        proposalUnitOfWork.decider().decideTimeout(proposalSnapshot, now),
                callback);
    }

    /** Records the result of approved calls as unknown if the members that were to run them have left. */
    public void applyAbsence(
            Collection<InMemoryPendingProposal> proposals,
            PresenceSnapshot presenceSnapshot,
            Consumer<ProposalStoreResult> callback) {
        sweep(
                proposals,
                (proposalUnitOfWork, proposalSnapshot, now) ->
                        proposalUnitOfWork.decider().decideAbsence(proposalSnapshot, presenceSnapshot, now),
                callback);
    }

    /** Computes the eligible reviewers of these proposals again. Writes nothing. */
    public void updateReviewers(Collection<InMemoryPendingProposal> open, Consumer<ProposalStoreResult> callback) {
        sweep(
                open,
                (proposalUnitOfWork, proposalSnapshot, now) -> {
                    proposalUnitOfWork.includeUnchanged(proposalSnapshot);
                    return new ProposalDeciderResult.Unchanged();
                },
                callback);
    }

    /** Decides on one tracked proposal in a sweep. */
    @FunctionalInterface
    private interface SweepRule {
        ProposalDeciderResult decide(
                ProposalUnitOfWork proposalUnitOfWork, ProposalSnapshot proposalSnapshot, Instant now);
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
                                .map(proposalSnapshot ->
                                        review.decide(proposalUnitOfWork, proposalSnapshot, writerTaskContext.now()))
                                .filter(ProposalDeciderResult.Accepted.class::isInstance)
                                .map(ProposalDeciderResult.Accepted.class::cast)
                                .ifPresent(proposalUnitOfWork::addEvents);
                    }
                    return proposalUnitOfWork.toCommitted(List.of(), List.of());
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
