package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The SEPs of one state on the board, up to a maximum number.
 *
 * @param count how many are in the state; not known of those somebody looks for
 * @param morePath where the others are, if there are any
 */
public record SepBoardColumn(
        String state, String tone, List<SepCard> cards, Optional<Long> count, Optional<String> morePath) {
    public SepBoardColumn {
        cards = List.copyOf(cards);
    }

    /**
     * A column.
     *
     * @param list what the desk listed of the state
     * @param counts how many there are in each
     */
    public static SepBoardColumn of(
            String state, Json list, Json counts, SepFilter filter, SepPageContext sepPageContext) {
        List<SepCard> cards = list.at("seps").elements().stream()
                .map(line -> SepCard.of(line, sepPageContext))
                .toList();
        return new SepBoardColumn(
                state,
                sepPageContext.tone(state),
                cards,
                filter.isActive()
                        ? Optional.empty()
                        : Optional.of(counts.at(state).asLong(cards.size())),
                list.at("cursor").asText().map(cursor -> filter.path(state)));
    }

    /** Whether there is nothing to be seen of it. */
    public boolean isEmpty() {
        return cards.isEmpty() && morePath.isEmpty();
    }

    /** How many there are, as far as that is known. */
    public String countText() {
        return count.map(String::valueOf).orElseGet(() -> cards.size() + (morePath.isPresent() ? "+" : ""));
    }
}
