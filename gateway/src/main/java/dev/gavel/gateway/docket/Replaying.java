package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.Summary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads on from a seq, a bounded piece at a time, never dividing what one envelope caused. */
final class Replaying {
    private static final int EVENTS = 64;

    /** More than one envelope can cause: a thousand rejections, each with its closing. */
    private static final int MOST_EVENTS = 4096;

    private static final long BYTES = 256 * 1024;
    private static final int FARTHER = 4;

    private final LedgerReader ledger;
    private final String topic;
    private final Function<String, Optional<String>> atHand;
    private final Map<String, String> proposers = new HashMap<>();

    Replaying(LedgerReader ledger, String topic) {
        this(ledger, topic, id -> Optional.empty());
    }

    /**
     * Reads on.
     *
     * @param atHand who made a proposal, where that is known without reading
     */
    Replaying(LedgerReader ledger, String topic, Function<String, Optional<String>> atHand) {
        this.ledger = ledger;
        this.topic = topic;
        this.atHand = atHand;
    }

    /** What came after a seq, told as it was then. */
    Replayed after(long seq) {
        Extent kept = ledger.extent(topic);
        if (seq > kept.last()) {
            return new Replayed.Resync(kept.first(), kept.last());
        }
        return switch (piece(seq, Long.MAX_VALUE)) {
            case Gap(Extent extent) -> new Replayed.Resync(extent.first(), extent.last());
            case Piece piece -> new Replayed.Messages(messages(piece), piece.upTo(seq));
        };
    }

    /** What was read. */
    sealed interface Read {}

    /** Some of what followed, in order. */
    record Piece(List<Recorded> events) implements Read {
        /** The seq it reaches, having begun after one. */
        long upTo(long after) {
            return events.isEmpty() ? after : events.getLast().seq();
        }
    }

    /** Some of what followed is kept no more. */
    record Gap(Extent kept) implements Read {}

    /**
     * What came after a seq, up to another and to the end of what one envelope caused there.
     */
    Read piece(long seq, long until) {
        return piece(seq, until, EVENTS, BYTES);
    }

    private Read piece(long seq, long until, int limit, long bytes) {
        return switch (ledger.after(topic, seq, limit, bytes)) {
            case Replay.Resync(Extent kept) -> new Gap(kept);
            case Replay.Events(List<Event> events) -> {
                List<Recorded> recorded = events.stream().map(this::recorded).toList();
                long read = recorded.stream().mapToLong(Recorded::bytes).sum();
                boolean moreFollow = recorded.size() == limit || read >= bytes;
                List<Recorded> piece = piece(recorded, until, moreFollow);
                boolean cutShort = piece.isEmpty()
                        && !recorded.isEmpty()
                        && recorded.getFirst().seq() <= until;
                yield cutShort && limit < MOST_EVENTS
                        ? piece(seq, until, limit * FARTHER, bytes * FARTHER)
                        : new Piece(piece);
            }
        };
    }

    /** What is sent of a piece. */
    List<Message> messages(Piece piece) {
        return new Telling(piece.events(), reference -> Sitting.sent(ledger.byReference(topic, reference))).messages();
    }

    /** As many whole runs as were read for certain, and begin before what is not wanted yet. */
    private static List<Recorded> piece(List<Recorded> events, long until, boolean moreFollow) {
        int end = 0;
        while (end < events.size() && events.get(end).seq() <= until) {
            int next = Telling.endOfRun(events, end);
            if (next == events.size() && moreFollow && Telling.mayGoOn(events.get(end))) {
                // What the last envelope caused may go on beyond what was read.
                break;
            }
            end = next;
        }
        return events.subList(0, end);
    }

    private Recorded recorded(Event event) {
        ProposalEvent happened = Kept.happened(event);
        String proposer = happened instanceof Proposed proposed
                ? proposed.by()
                : proposers.computeIfAbsent(
                        event.subject(),
                        id -> atHand.apply(id)
                                .or(() -> ledger.summary(topic, id).map(Summary::owner))
                                .orElse(""));
        return new Recorded(event, proposer, happened);
    }
}
