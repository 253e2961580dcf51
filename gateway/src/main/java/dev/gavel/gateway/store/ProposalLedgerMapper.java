package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEventCodec;
import dev.gavel.gateway.proposal.ProposalIndexEntry;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.mcpx.ValueParseResult;
import java.util.List;
import java.util.Optional;

/** Converts ledger events to proposal events and proposals, and a proposal to its ledger summary. Stateless. */
final class ProposalLedgerMapper {
    private static final LedgerBody EMPTY_BODY = LedgerBody.of("{}");

    private ProposalLedgerMapper() {}

    /** Decodes a ledger event. */
    static ProposalEvent toProposalEvent(LedgerEvent event) {
        return switch (ProposalEventCodec.decode(event.type(), event.body().bytes())) {
            case ValueParseResult.Valid<ProposalEvent>(ProposalEvent proposalEvent) -> proposalEvent;
            case ValueParseResult.Invalid<ProposalEvent>(String problem) ->
                throw new LedgerException("topic '" + event.stream() + "', seq " + event.seq() + ": " + problem);
        };
    }

    /** Returns the proposal with this history; empty if the history is empty. */
    static Optional<ProposalSnapshot> toProposal(List<LedgerEvent> history) {
        if (history.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ProposalSnapshot.of(toTimeline(history)));
        } catch (IllegalArgumentException e) {
            LedgerEvent first = history.getFirst();
            throw new LedgerException(
                    "topic '" + first.stream() + "', proposal '" + first.subject() + "': " + e.getMessage(), e);
        }
    }

    /** Decodes ledger events to timeline entries. */
    static List<ProposalTimelineEntry> toTimeline(List<LedgerEvent> events) {
        return events.stream()
                .map(event -> new ProposalTimelineEntry(event.at(), toProposalEvent(event)))
                .toList();
    }

    /** Returns the total size of the events' bodies. */
    static long totalBytes(List<LedgerEvent> events) {
        return events.stream().mapToLong(event -> event.body().length()).sum();
    }

    /** Returns the summary row by which queries find a proposal. */
    static SubjectSummary toSummary(String topic, ProposalSnapshot proposalSnapshot, long lastSeq) {
        ProposalIndexEntry entry = proposalSnapshot.toIndexEntry();
        return new SubjectSummary(
                topic,
                entry.id(),
                entry.state().label(),
                entry.open(),
                entry.owner(),
                entry.dueAt().orElse(null),
                entry.startedAt(),
                entry.endedAt().orElse(null),
                lastSeq,
                EMPTY_BODY);
    }
}
