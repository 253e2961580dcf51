package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.Summary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads on from a seq, a bounded piece at a time, never dividing what one envelope caused. */
final class Replaying {
    private static final int EVENTS = 64;

    /** More than one envelope can cause: a thousand rejections, each with its closing. */
    private static final int MOST_EVENTS = 4096;

    private static final long BYTES = 256 * 1024;
    private static final int FARTHER = 4;

    private final LedgerReader ledger;
    private final String topic;
    private final Map<String, String> proposers = new HashMap<>();

    Replaying(LedgerReader ledger, String topic) {
        this.ledger = ledger;
        this.topic = topic;
    }

    Replayed after(long seq) {
        Extent kept = ledger.extent(topic);
        if (seq > kept.last()) {
            return new Replayed.Resync(kept.first(), kept.last());
        }
        return after(seq, EVENTS, BYTES);
    }

    private Replayed after(long seq, int limit, long bytes) {
        return switch (ledger.after(topic, seq, limit, bytes)) {
            case Replay.Resync(Extent kept) -> new Replayed.Resync(kept.first(), kept.last());
            case Replay.Events(List<Event> events) -> {
                List<Recorded> recorded = events.stream().map(this::recorded).toList();
                long read = recorded.stream().mapToLong(Recorded::bytes).sum();
                List<Recorded> piece = piece(recorded, events.size() == limit || read >= bytes);
                yield piece.isEmpty() && !events.isEmpty() && limit < MOST_EVENTS
                        ? after(seq, limit * FARTHER, bytes * FARTHER)
                        : messages(piece, seq);
            }
        };
    }

    /** As many whole runs as were read for certain. */
    private static List<Recorded> piece(List<Recorded> events, boolean moreFollow) {
        int end = 0;
        while (end < events.size()) {
            int next = Telling.endOfRun(events, end);
            if (next == events.size() && moreFollow && Telling.mayGoOn(events.get(end))) {
                // What the last envelope caused may go on beyond what was read.
                break;
            }
            end = next;
        }
        return events.subList(0, end);
    }

    private Replayed messages(List<Recorded> piece, long seq) {
        Telling telling = new Telling(piece, reference -> Sitting.sent(ledger.byReference(topic, reference)));
        return new Replayed.Messages(
                new ArrayList<>(telling.messages()),
                piece.isEmpty() ? seq : piece.getLast().seq());
    }

    private Recorded recorded(Event event) {
        ProposalEvent happened = Kept.happened(event);
        String proposer = happened instanceof Proposed proposed
                ? proposed.by()
                : proposers.computeIfAbsent(
                        event.subject(),
                        id -> ledger.summary(topic, id).map(Summary::owner).orElse(""));
        return new Recorded(event, proposer, happened);
    }
}
