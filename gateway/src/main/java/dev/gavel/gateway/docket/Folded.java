package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.ledger.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Proposals that were put together of their events lately, so that the next step of one costs its own event and not its
 * whole history. Used by the ledger's writer alone. What it remembers is held against the history each time, so that
 * events that were decided but could not be written leave no trace.
 */
final class Folded {
    private static final long MOST_BYTES = 16L << 20;

    /** The least lately used first. */
    private final LinkedHashMap<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /**
     * A proposal after some of its events.
     *
     * @param events how many
     * @param last the last of them
     */
    private record Known(Proposal proposal, int events, Event last, long bytes) {
        boolean isPartOf(List<Event> history) {
            return history.size() >= events && history.get(events - 1).equals(last);
        }
    }

    /** The proposal with this history; empty where there is none. */
    Optional<Proposal> proposal(String id, List<Event> history) {
        if (history.isEmpty()) {
            return Optional.empty();
        }
        Known before = known.get(id);
        if (before == null || !before.isPartOf(history)) {
            return remember(id, Kept.proposal(history).orElseThrow(), history);
        }
        return before.events() == history.size()
                ? Optional.of(before.proposal())
                : remember(
                        id,
                        before.proposal().then(Kept.steps(history.subList(before.events(), history.size()))),
                        history);
    }

    /** Lets go of one to which little happens any more: it takes no room, and is soon collected. */
    void forget(String id) {
        Known before = known.remove(id);
        bytes -= before == null ? 0 : before.bytes();
    }

    private Optional<Proposal> remember(String id, Proposal proposal, List<Event> history) {
        Known now = new Known(proposal, history.size(), history.getLast(), Kept.bytes(history));
        Known before = known.put(id, now);
        bytes += now.bytes() - (before == null ? 0 : before.bytes());
        while (bytes > MOST_BYTES) {
            bytes -= known.pollFirstEntry().getValue().bytes();
        }
        return Optional.of(proposal);
    }
}
