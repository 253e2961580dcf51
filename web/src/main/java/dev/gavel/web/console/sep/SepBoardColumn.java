package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A column of the board: the SEPs in one state, up to a maximum number, and a link to the rest.
 *
 * @param count the number of SEPs in the state; empty if a filter is active, because the number of matches is not known
 * @param morePath the path of the list with the remaining SEPs, if there are any
 */
public record SepBoardColumn(
        String state, String tone, List<SepCard> cards, Optional<Long> count, Optional<String> morePath) {
    public SepBoardColumn {
        cards = List.copyOf(cards);
    }

    /**
     * Creates a column.
     *
     * @param list the SEP service's list of the SEPs in the state
     * @param counts the number of SEPs in each state
     */
    public static SepBoardColumn of(
            String state, Json list, Json counts, SepFilter filter, SepPageContext sepPageContext) {
        List<SepCard> cards = list.at("seps").elements().stream()
                .map(line -> SepCard.of(line, sepPageContext.withNamesOf(list)))
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

    public boolean isEmpty() {
        return cards.isEmpty() && morePath.isEmpty();
    }

    /** The count, or the number of cards with {@code +} if more SEPs follow and the count is not known. */
    public String countText() {
        return count.map(String::valueOf).orElseGet(() -> cards.size() + (morePath.isPresent() ? "+" : ""));
    }
}
