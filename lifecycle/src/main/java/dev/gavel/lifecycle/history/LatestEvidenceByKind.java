package dev.gavel.lifecycle.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the latest evidence of each kind that was attached to a specification proposal, overall and in its current
 * state.
 *
 * @param byKind the latest evidence of each kind
 * @param byKindInState the latest evidence of each kind from the current state or the move into it
 */
public record LatestEvidenceByKind(Map<String, Item> byKind, Map<String, Item> byKindInState) {
    static final LatestEvidenceByKind NONE = new LatestEvidenceByKind(Map.of(), Map.of());

    /** The value of a piece of evidence, and when it was attached. */
    public record Item(String value, Instant at) {}

    public LatestEvidenceByKind {
        byKind = Map.copyOf(byKind);
        byKindInState = Map.copyOf(byKindInState);
    }

    /** The latest evidence of a kind from any state. */
    public Optional<Item> latest(String kind) {
        return Optional.ofNullable(byKind.get(kind));
    }

    /** The latest evidence of a kind from the current state or the move into it. */
    public Optional<Item> latestInState(String kind) {
        return Optional.ofNullable(byKindInState.get(kind));
    }

    LatestEvidenceByKind apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved e -> new LatestEvidenceByKind(byKind, Map.of()).with(e.evidence(), e.at());
            case LifecycleEvent.EvidenceAttached e -> with(e.evidence(), e.at());
            default -> this;
        };
    }

    private LatestEvidenceByKind with(List<Evidence> evidence, Instant at) {
        Map<String, Item> all = new HashMap<>(byKind);
        Map<String, Item> inState = new HashMap<>(byKindInState);
        for (Evidence piece : evidence) {
            all.put(piece.kind(), new Item(piece.value(), at));
            inState.put(piece.kind(), new Item(piece.value(), at));
        }
        return new LatestEvidenceByKind(all, inState);
    }
}
