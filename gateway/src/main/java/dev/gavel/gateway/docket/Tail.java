package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what was written to a topic's ledger, by whatever process, and makes of it what a decision here would have come
 * to. Everything that happens to the topic's proposals passes here in order, read or noted, so that the next step of one
 * need not be read from its beginning. Used by one thread at a time.
 */
public final class Tail {
    private static final int MOST_PROPOSALS = 2_000;
    private static final long MOST_BYTES = 8L << 20;

    private final LedgerReader ledger;
    private final String topic;
    private final Supplier<ProposalLife> life;

    /** The least lately changed first; empty as long as nothing was ever read. */
    private final LinkedHashMap<String, Proposal> known = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private boolean read;

    Tail(LedgerReader ledger, String topic, Supplier<ProposalLife> life) {
        this.ledger = ledger;
        this.topic = topic;
        this.life = life;
    }

    /** What was decided after a seq and up to another: some of it; none where that is no longer kept. */
    public Optional<Decision.Made> after(long seq, long until) {
        read = true;
        Replaying replaying = new Replaying(
                ledger, topic, id -> Optional.ofNullable(known.get(id)).map(Proposal::proposer));
        return switch (replaying.piece(seq, until)) {
            case Replaying.Gap _ -> Optional.empty();
            case Replaying.Piece piece -> Optional.of(made(piece, replaying.messages(piece), seq));
        };
    }

    /** What was decided here is told here without being read. */
    public void note(List<Change> changes) {
        if (read) {
            changes.forEach(change -> keep(change.after()));
        }
    }

    private Decision.Made made(Replaying.Piece piece, List<Message> messages, long seq) {
        List<Change> changes = new ArrayList<>();
        Map<String, Proposal> changed = new LinkedHashMap<>();
        for (Recorded each : piece.events()) {
            Step step = new Step(each.kept().at(), each.event());
            Optional<Proposal> after = after(changed, each, step);
            after.ifPresent(proposal -> {
                changed.put(proposal.id(), proposal);
                changes.add(new Change(proposal, step));
            });
        }
        // Only now: where reading fails on the way, all of it is read once more.
        changed.values().forEach(this::keep);
        ProposalLife by = life.get();
        return new Decision.Made(
                messages,
                changed.values().stream()
                        .map(proposal -> Standing.of(proposal, by))
                        .toList(),
                changes,
                List.of(),
                piece.events().isEmpty() ? 0 : seq + 1,
                piece.upTo(seq));
    }

    private Optional<Proposal> after(Map<String, Proposal> changed, Recorded each, Step step) {
        if (each.event() instanceof Proposed proposed) {
            return Optional.of(Proposal.begun(proposed, each.kept().at()));
        }
        Proposal before = changed.getOrDefault(each.proposal(), known.get(each.proposal()));
        if (before != null) {
            return Optional.of(before.then(step));
        }
        List<Event> history = ledger.history(topic, each.proposal()).stream()
                .filter(event -> event.seq() <= each.seq())
                .toList();
        return Kept.proposal(history);
    }

    private void keep(Proposal proposal) {
        Proposal before = known.put(proposal.id(), proposal);
        bytes += weight(proposal) - (before == null ? 0 : weight(before));
        while (known.size() > MOST_PROPOSALS || (bytes > MOST_BYTES && !known.isEmpty())) {
            bytes -= weight(known.pollFirstEntry().getValue());
        }
    }

    /** Forgets what it knows, where something may have happened that it was not shown. */
    public void forget() {
        known.clear();
        bytes = 0;
    }

    private static long weight(Proposal proposal) {
        return 1_000L + proposal.payload().length();
    }
}
