package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.mcpx.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the last events of a topic's ledger, limited in number and bytes. */
final class RecentEventsReader {
    /** If the requested number of events exceeds this size in total, fewer are read. */
    private static final long MAX_BYTES = 4L * 1024 * 1024;

    private static final int WINDOW_DIVISOR = 4;

    private final LedgerReader ledger;
    private final String topic;
    private final Map<String, Optional<Kind>> calls = new HashMap<>();
    private long bytesRead;

    RecentEventsReader(LedgerReader ledger, String topic) {
        this.ledger = ledger;
        this.topic = topic;
    }

    List<RecentProposalEvent> after(long seq, int most) {
        RetainedStreamRange retained = ledger.retainedRange(topic);
        List<LedgerEvent> events = events(retained, seq, most);
        List<RecentProposalEvent> recentProposalEvents = new ArrayList<>(events.size());
        for (LedgerEvent event : events) {
            ProposalEvent proposalEvent = ProposalLedgerMapper.toProposalEvent(event);
            if (proposalEvent instanceof Proposed proposed) {
                calls.put(event.subject(), Optional.of(call(proposed)));
            }
            recentProposalEvents.add(new RecentProposalEvent(
                    event.seq(),
                    event.subject(),
                    calls.computeIfAbsent(event.subject(), this::findCall),
                    new ProposalTimelineEntry(event.at(), proposalEvent),
                    MemberNames.IDS));
        }
        return recentProposalEvents;
    }

    private List<LedgerEvent> events(RetainedStreamRange retained, long seq, int most) {
        for (int window = most; ; window /= WINDOW_DIVISOR) {
            long from = Math.max(Math.max(seq, retained.last() - window), retained.first() - 1);
            List<LedgerEvent> events = switch (ledger.eventsAfter(topic, from, window, MAX_BYTES)) {
                case StreamReadResult.Events(List<LedgerEvent> found) -> found;
                // Pruned in the meantime.
                case StreamReadResult.Resync _ -> List.of();
            };
            if (events.isEmpty() || events.getLast().seq() >= retained.last() || window <= WINDOW_DIVISOR) {
                return events;
            }
        }
    }

    /** Looks up a proposal's call by the proposing envelope, whose id is the proposal's id. */
    private Optional<Kind> findCall(String proposal) {
        if (bytesRead > MAX_BYTES) {
            return Optional.empty();
        }
        return ledger.findByReference(topic, proposal).flatMap(event -> {
            bytesRead += event.body().length();
            return ProposalLedgerMapper.toProposalEvent(event) instanceof Proposed proposed
                    ? Optional.of(call(proposed))
                    : Optional.empty();
        });
    }

    private static Kind call(Proposed proposed) {
        return proposed.storedEnvelope().envelope().kindWithContext();
    }
}
