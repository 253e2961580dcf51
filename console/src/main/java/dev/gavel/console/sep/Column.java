package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The SEPs of a state, as far as there is room for them.
 *
 * @param count how many are in the state; not known of those somebody looks for
 * @param more where the others are, if there are any
 */
public record Column(String state, String tone, List<SepCard> cards, Optional<Long> count, Optional<String> more) {
    public Column {
        cards = List.copyOf(cards);
    }

    /**
     * A column.
     *
     * @param list what the desk listed of the state
     * @param counts how many there are in each
     */
    public static Column of(String state, Json list, Json counts, Filter filter, Viewer viewer) {
        List<SepCard> cards = list.at("seps").elements().stream()
                .map(line -> SepCard.of(line, viewer))
                .toList();
        return new Column(
                state,
                viewer.tone(state),
                cards,
                filter.any() ? Optional.empty() : Optional.of(counts.at(state).number(cards.size())),
                list.at("cursor").ifText().map(cursor -> filter.path(state)));
    }

    /** Whether there is nothing to be seen of it. */
    public boolean empty() {
        return cards.isEmpty() && more.isEmpty();
    }

    /** How many there are, as far as that is known. */
    public String number() {
        return count.map(String::valueOf).orElseGet(() -> cards.size() + (more.isPresent() ? "+" : ""));
    }
}
