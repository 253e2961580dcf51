package dev.gavel.lifecycle.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The evidence there is, the latest of each kind.
 *
 * @param ever given at any time
 * @param here given in the state the proposal is in, or with the move that led there
 */
public record Attachments(Map<String, Given> ever, Map<String, Given> here) {
    static final Attachments NONE = new Attachments(Map.of(), Map.of());

    /** What was given as evidence, and when. */
    public record Given(String value, Instant at) {}

    public Attachments {
        ever = Map.copyOf(ever);
        here = Map.copyOf(here);
    }

    /** The latest of a kind, whenever given. */
    public Optional<Given> latest(String kind) {
        return Optional.ofNullable(ever.get(kind));
    }

    /** The latest of a kind given in this state or with the move into it. */
    public Optional<Given> latestHere(String kind) {
        return Optional.ofNullable(here.get(kind));
    }

    Attachments after(Event event) {
        return switch (event) {
            case Event.Moved e -> new Attachments(ever, Map.of()).with(e.evidence(), e.at());
            case Event.Attached e -> with(e.evidence(), e.at());
            default -> this;
        };
    }

    private Attachments with(List<Evidence> evidence, Instant at) {
        Map<String, Given> all = new HashMap<>(ever);
        Map<String, Given> now = new HashMap<>(here);
        for (Evidence piece : evidence) {
            all.put(piece.kind(), new Given(piece.value(), at));
            now.put(piece.kind(), new Given(piece.value(), at));
        }
        return new Attachments(all, now);
    }
}
