package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page that lists the SEPs in one state, newest first, with a link to the next ones.
 *
 * @param next the path of the next page of the list
 * @param first whether this is the first page of the list
 * @param count the number of SEPs in the state; empty if a filter is active, because the number of matches is not known
 */
public record SepsInStatePage(
        PageLayoutData frame,
        String state,
        String tone,
        SepFilter filter,
        List<SepCard> cards,
        Optional<String> next,
        boolean first,
        Optional<Long> count) {
    public SepsInStatePage {
        cards = List.copyOf(cards);
    }

    /** Creates the page from the SEP service's list. */
    public static SepsInStatePage of(
            PageLayoutData frame,
            String state,
            Json list,
            SepFilter filter,
            boolean first,
            SepPageContext sepPageContext) {
        return new SepsInStatePage(
                frame,
                state,
                sepPageContext.tone(state),
                filter,
                list.at("seps").elements().stream()
                        .map(line -> SepCard.of(line, sepPageContext.withNamesOf(list)))
                        .toList(),
                list.at("cursor").asText().map(cursor -> filter.path(state, cursor)),
                first,
                filter.isActive() || !list.at("counts").at(state).isPresent()
                        ? Optional.empty()
                        : Optional.of(list.at("counts").at(state).asLong(0)));
    }
}
