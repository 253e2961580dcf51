package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.NewProposalEvent;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalDeciderResult;
import dev.gavel.gateway.proposal.ProposalError;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.StoredEnvelope;
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

/** The unit of work of one decision on proposals: loads them from the ledger view and collects the events to append. */
final class DecisionContext {
    private static final long MAX_BYTES = 32L << 20;

    private final WriterTaskContext writerTaskContext;
    private final ProposalDecider decider;
    private final ProposalCache proposalCache;
    private final Map<String, Optional<ProposalSnapshot>> loadedProposals = new HashMap<>();
    private final Map<String, ProposalSnapshot> changedProposals = new LinkedHashMap<>();
    private final Map<String, ProposalSnapshot> includedProposals = new LinkedHashMap<>();
    private final Map<String, Long> lastSeqs = new HashMap<>();
    private final List<RecordedProposalEvent> recordedEvents = new ArrayList<>();
    private final List<ProposalChange> changes = new ArrayList<>();
    private long bytes;

    DecisionContext(WriterTaskContext writerTaskContext, ProposalDecider decider, ProposalCache proposalCache) {
        this.writerTaskContext = writerTaskContext;
        this.decider = decider;
        this.proposalCache = proposalCache;
    }

    /** The decider for this unit of work. */
    ProposalDecider decider() {
        return decider;
    }

    /** Includes a proposal in the result even if no event changes it. */
    void includeUnchanged(ProposalSnapshot proposalSnapshot) {
        includedProposals.put(proposalSnapshot.id(), proposalSnapshot);
    }

    Optional<ProposalSnapshot> proposal(String id) {
        ProposalSnapshot after = changedProposals.get(id);
        return after == null ? loadedProposals.computeIfAbsent(id, this::load) : Optional.of(after);
    }

    private Optional<ProposalSnapshot> load(String id) {
        List<LedgerEvent> history = writerTaskContext.history(id);
        bytes += ProposalLedgerMapper.totalBytes(history);
        if (bytes > MAX_BYTES) {
            throw new TooManyBytesException();
        }
        return proposalCache.proposal(id, history);
    }

    /** Thrown if one envelope needs more bytes of proposals than may be held in memory for it. */
    static final class TooManyBytesException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Returns the event that an envelope of this id caused. */
    Optional<LedgerEvent> eventCausedBy(String envelope) {
        return writerTaskContext.findByReference(envelope);
    }

    /** Adds the events of an accepted decision. */
    void append(ProposalDeciderResult.Accepted accepted) {
        Set<String> references = new HashSet<>();
        for (NewProposalEvent newProposalEvent : accepted.newProposalEvents()) {
            // An envelope about several proposals is referenced only by its first event.
            String reference = newProposalEvent.reference() != null && references.add(newProposalEvent.reference())
                    ? newProposalEvent.reference()
                    : null;
            LedgerEvent ledgerEvent = writerTaskContext.createEvent(
                    newProposalEvent.subject(),
                    newProposalEvent.type(),
                    newProposalEvent.actor(),
                    reference,
                    LedgerBody.of(newProposalEvent.body()));
            ProposalTimelineEntry proposalTimelineEntry =
                    new ProposalTimelineEntry(ledgerEvent.at(), newProposalEvent.event());
            ProposalSnapshot after = newProposalEvent.event() instanceof Proposed proposed
                    ? ProposalSnapshot.create(proposed, ledgerEvent.at())
                    : proposal(newProposalEvent.subject()).orElseThrow().withEvents(proposalTimelineEntry);
            changedProposals.put(newProposalEvent.subject(), after);
            if (!after.isOpen() && after.dueAt().isEmpty()) {
                proposalCache.evict(newProposalEvent.subject());
            }
            changes.add(new ProposalChange(after, proposalTimelineEntry));
            lastSeqs.put(newProposalEvent.subject(), ledgerEvent.seq());
            recordedEvents.add(new RecordedProposalEvent(ledgerEvent, after.proposer(), newProposalEvent.event()));
        }
    }

    /** Returns the result of this unit of work: all added events, and the errors. */
    TaskDecision<ProposalStoreResult> toCommitted(List<ProposalError> proposalErrors) {
        List<LedgerEvent> events =
                recordedEvents.stream().map(RecordedProposalEvent::ledgerEvent).toList();
        List<SubjectSummary> summaries = changedProposals.values().stream()
                .map(proposalSnapshot -> ProposalLedgerMapper.toSummary(
                        writerTaskContext.stream(),
                        proposalSnapshot,
                        Objects.requireNonNull(lastSeqs.get(proposalSnapshot.id()))))
                .toList();
        includedProposals.putAll(changedProposals);
        ProposalStoreResult.Committed committed = new ProposalStoreResult.Committed(
                new ProposalEventMessageBuilder(recordedEvents, reference -> envelopeOf(eventCausedBy(reference)))
                        .build(),
                includedProposals.values().stream()
                        .map(proposalSnapshot -> TrackedProposal.of(proposalSnapshot, decider))
                        .toList(),
                changes,
                proposalErrors,
                events.isEmpty() ? 0 : events.getFirst().seq(),
                events.isEmpty() ? 0 : events.getLast().seq());
        return new TaskDecision<>(committed, events, summaries);
    }

    static Optional<StoredEnvelope> envelopeOf(Optional<LedgerEvent> event) {
        return event.flatMap(found ->
                Optional.ofNullable(ProposalLedgerMapper.toProposalEvent(found).sent()));
    }
}
