package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Holds the latest evidence of each kind that was attached to a specification proposal, overall and in its current
 * state.
 *
 * @param byKind the latest evidence of each kind
 * @param byKindInState the latest evidence of each kind from the current state or the move into it
 */
public record LatestEvidenceByKind(Map<String, Item> byKind, Map<String, Item> byKindInState) {
    static final LatestEvidenceByKind NONE = new LatestEvidenceByKind(Map.of(), Map.of());

    /**
     * A piece of evidence.
     *
     * @param at when it was attached
     * @param givenBy the actor who gave it, with the roles of that time
     * @param confirmedBy the person who confirmed it, if one did
     * @param textChanged whether a substantive edit has changed the text since
     */
    public record Item(String value, Instant at, Actor givenBy, Optional<Person> confirmedBy, boolean textChanged) {
        private Item confirmed(Person person) {
            return new Item(value, at, givenBy, Optional.of(person), textChanged);
        }

        private Item withTextChanged() {
            return new Item(value, at, givenBy, confirmedBy, true);
        }
    }

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
            case LifecycleEvent.Moved e -> new LatestEvidenceByKind(byKind, Map.of()).with(e.evidence(), e);
            case LifecycleEvent.EvidenceAttached e -> with(e.evidence(), e);
            case LifecycleEvent.EvidenceConfirmed e ->
                map((kind, item) -> kind.equals(e.kind()) ? item.confirmed(e.by().person()) : item);
            case LifecycleEvent.Edited e -> e.editorial() ? this : map((_, item) -> item.withTextChanged());
            default -> this;
        };
    }

    private LatestEvidenceByKind map(BiFunction<String, Item, Item> change) {
        Map<String, Item> all = new HashMap<>(byKind);
        Map<String, Item> inState = new HashMap<>(byKindInState);
        all.replaceAll(change);
        inState.replaceAll(change);
        return new LatestEvidenceByKind(all, inState);
    }

    private LatestEvidenceByKind with(List<Evidence> evidence, LifecycleEvent event) {
        Map<String, Item> all = new HashMap<>(byKind);
        Map<String, Item> inState = new HashMap<>(byKindInState);
        for (Evidence piece : evidence) {
            Item item = new Item(piece.value(), event.at(), event.by(), Optional.empty(), false);
            all.put(piece.kind(), item);
            inState.put(piece.kind(), item);
        }
        return new LatestEvidenceByKind(all, inState);
    }
}
