package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.mcpx.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the end of a topic's ledger: the last of what happened, bounded in number and in bytes. */
final class Lately {
    /** Where so many events are longer than this together, fewer are read. */
    private static final long BYTES = 4L * 1024 * 1024;

    private static final int FEWER = 4;

    private final LedgerReader ledger;
    private final String topic;
    private final Map<String, Optional<Kind>> calls = new HashMap<>();
    private long looked;

    Lately(LedgerReader ledger, String topic) {
        this.ledger = ledger;
        this.topic = topic;
    }

    List<Happening> after(long seq, int most) {
        Extent kept = ledger.extent(topic);
        List<Event> events = events(kept, seq, most);
        List<Happening> happenings = new ArrayList<>(events.size());
        for (Event event : events) {
            ProposalEvent happened = Kept.happened(event);
            if (happened instanceof Proposed proposed) {
                calls.put(event.subject(), Optional.of(call(proposed)));
            }
            happenings.add(new Happening(
                    event.seq(),
                    event.subject(),
                    calls.computeIfAbsent(event.subject(), this::proposed),
                    new Step(event.at(), happened)));
        }
        return happenings;
    }

    private List<Event> events(Extent kept, long seq, int most) {
        for (int window = most; ; window /= FEWER) {
            long from = Math.max(Math.max(seq, kept.last() - window), kept.first() - 1);
            List<Event> events = switch (ledger.after(topic, from, window, BYTES)) {
                case Replay.Events(List<Event> found) -> found;
                // Pruned in the meantime.
                case Replay.Resync _ -> List.of();
            };
            if (events.isEmpty() || events.getLast().seq() >= kept.last() || window <= FEWER) {
                return events;
            }
        }
    }

    /** A proposal is found by the envelope that made it, which has its id. */
    private Optional<Kind> proposed(String proposal) {
        if (looked > BYTES) {
            return Optional.empty();
        }
        return ledger.byReference(topic, proposal).flatMap(event -> {
            looked += event.body().length();
            return Kept.happened(event) instanceof Proposed made ? Optional.of(call(made)) : Optional.empty();
        });
    }

    private static Kind call(Proposed proposed) {
        return proposed.sent().envelope().effectiveKind();
    }
}
