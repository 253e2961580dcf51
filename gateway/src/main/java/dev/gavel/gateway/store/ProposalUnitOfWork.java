package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDeciderResult;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.gateway.proposal.UncommittedProposalEvent;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterTaskContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The unit of work of one task of the proposal store: loads the proposals that the task needs, and collects the events
 * to append.
 */
final class ProposalUnitOfWork {
    private static final long MAX_BYTES = 32L << 20;

    private final WriterTaskContext writerTaskContext;
    private final ProposalDecider decider;
    private final ProposalCache proposalCache;
    private final Map<String, Optional<ProposalSnapshot>> loadedProposals = new HashMap<>();
    private final Map<String, ProposalSnapshot> changedProposals = new LinkedHashMap<>();
    private final Map<String, ProposalSnapshot> resultProposals = new LinkedHashMap<>();
    private final Map<String, Long> lastSeqs = new HashMap<>();
    private final List<RecordedProposalEvent> recordedEvents = new ArrayList<>();
    private final List<AppliedProposalEvent> changes = new ArrayList<>();
    private long loadedBytes;

    ProposalUnitOfWork(WriterTaskContext writerTaskContext, ProposalDecider decider, ProposalCache proposalCache) {
        this.writerTaskContext = writerTaskContext;
        this.decider = decider;
        this.proposalCache = proposalCache;
    }

    /** Returns a unit of work of the same task whose proposals do not count as loaded here. */
    ProposalUnitOfWork separate() {
        return new ProposalUnitOfWork(writerTaskContext, decider, proposalCache);
    }

    /** The decider for this unit of work. */
    ProposalDecider decider() {
        return decider;
    }

    /** Includes a proposal in the result even if no event changes it. */
    void includeUnchanged(ProposalSnapshot proposalSnapshot) {
        resultProposals.put(proposalSnapshot.id(), proposalSnapshot);
    }

    Optional<ProposalSnapshot> findProposal(String id) {
        ProposalSnapshot after = changedProposals.get(id);
        return after == null ? loadedProposals.computeIfAbsent(id, this::load) : Optional.of(after);
    }

    private Optional<ProposalSnapshot> load(String id) {
        List<LedgerEvent> history = writerTaskContext.history(id);
        loadedBytes += ProposalLedgerMapper.totalBytes(history);
        if (loadedBytes > MAX_BYTES) {
            throw new TooManyBytesException();
        }
        return proposalCache.proposal(id, history);
    }

    /** Thrown if one envelope needs more bytes of proposals than may be held in memory for it. */
    static final class TooManyBytesException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Returns the event that an envelope of this id caused. */
    Optional<LedgerEvent> eventCausedBy(String envelopeId) {
        return writerTaskContext.findByReference(envelopeId);
    }

    /** Adds the events of an accepted decision. */
    void addEvents(ProposalDeciderResult.Accepted accepted) {
        Set<String> references = new HashSet<>();
        for (UncommittedProposalEvent uncommittedProposalEvent : accepted.uncommittedProposalEvents()) {
            String reference = uncommittedProposalEvent.reference();
            // An envelope about several proposals is referenced only by its first event, and a held approval by the
            // event
            // that stored it.
            if (reference != null && (!references.add(reference) || isHeld(uncommittedProposalEvent))) {
                reference = null;
            }
            LedgerEvent ledgerEvent = writerTaskContext.createEvent(
                    uncommittedProposalEvent.subject(),
                    uncommittedProposalEvent.type(),
                    uncommittedProposalEvent.actor(),
                    reference,
                    LedgerBody.of(uncommittedProposalEvent.body()));
            ProposalTimelineEntry proposalTimelineEntry =
                    new ProposalTimelineEntry(ledgerEvent.at(), uncommittedProposalEvent.event());
            ProposalSnapshot after = uncommittedProposalEvent.event() instanceof Proposed proposed
                    ? ProposalSnapshot.create(proposed, ledgerEvent.at())
                    : findProposal(uncommittedProposalEvent.subject())
                            .orElseThrow()
                            .withEvents(proposalTimelineEntry);
            changedProposals.put(uncommittedProposalEvent.subject(), after);
            if (!after.isOpen() && after.dueAt().isEmpty()) {
                proposalCache.evict(uncommittedProposalEvent.subject());
            }
            changes.add(new AppliedProposalEvent(after, proposalTimelineEntry));
            lastSeqs.put(uncommittedProposalEvent.subject(), ledgerEvent.seq());
            recordedEvents.add(
                    new RecordedProposalEvent(ledgerEvent, after.proposer(), uncommittedProposalEvent.event()));
        }
    }

    /** Whether the event is the approval that the proposal holds. */
    private boolean isHeld(UncommittedProposalEvent uncommitted) {
        return uncommitted.event() instanceof Fulfilled fulfilled
                && findProposal(uncommitted.subject())
                        .flatMap(ProposalSnapshot::heldApproval)
                        .filter(held -> held.approval().envelopeId().equals(fulfilled.envelopeId()))
                        .isPresent();
    }

    /** Returns the result of this unit of work: all added events, and the errors. */
    TaskDecision<ProposalStoreResult> toCommitted(
            List<ProposalRefusal> proposalRefusals, List<RejectionEffect> rejectionEffects) {
        return toTaskDecision(committed(proposalRefusals, rejectionEffects));
    }

    /** As {@link #toCommitted}, for an envelope that is refused. */
    TaskDecision<ProposalStoreResult> toDeclined(List<ProposalRefusal> proposalRefusals) {
        return toTaskDecision(new ProposalStoreResult.Declined(proposalRefusals, committed(List.of(), List.of())));
    }

    private TaskDecision<ProposalStoreResult> toTaskDecision(ProposalStoreResult proposalStoreResult) {
        List<SubjectSummary> summaries = changedProposals.values().stream()
                .map(proposalSnapshot -> ProposalLedgerMapper.toSummary(
                        writerTaskContext.stream(),
                        proposalSnapshot,
                        Objects.requireNonNull(lastSeqs.get(proposalSnapshot.id()))))
                .toList();
        return new TaskDecision<>(proposalStoreResult, events(), summaries);
    }

    private List<LedgerEvent> events() {
        return recordedEvents.stream().map(RecordedProposalEvent::ledgerEvent).toList();
    }

    private ProposalStoreResult.Committed committed(
            List<ProposalRefusal> proposalRefusals, List<RejectionEffect> rejectionEffects) {
        List<LedgerEvent> events = events();
        resultProposals.putAll(changedProposals);
        return new ProposalStoreResult.Committed(
                new OutgoingProposalMessageBuilder(
                                recordedEvents,
                                reference -> envelopeOf(eventCausedBy(reference)),
                                new ProposalMessageAccess(
                                        proposal -> findProposal(proposal).flatMap(decider::readers),
                                        proposal -> findProposal(proposal).map(ProposalSnapshot::payload),
                                        SecretArgumentPatterns.NONE))
                        .build(),
                resultProposals.values().stream()
                        .map(proposalSnapshot -> InMemoryPendingProposal.of(proposalSnapshot, decider))
                        .toList(),
                changes,
                proposalRefusals,
                events.isEmpty() ? 0 : events.getFirst().seq(),
                events.isEmpty() ? 0 : events.getLast().seq(),
                rejectionEffects);
    }

    static Optional<StoredEnvelope> envelopeOf(Optional<LedgerEvent> event) {
        return event.flatMap(found ->
                Optional.ofNullable(ProposalLedgerMapper.toProposalEvent(found).storedEnvelope()));
    }
}
