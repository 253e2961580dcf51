package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page that lists the SEPs in one state, newest first, with a link to the next ones.
 *
 * @param next where the list goes on
 * @param first whether it begins here
 * @param count how many there are; not known of those somebody looks for
 */
public record SepsInStatePage(
        PageFrame frame,
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

    /** What the desk listed. */
    public static SepsInStatePage of(
            PageFrame frame, String state, Json list, SepFilter filter, boolean first, SepPageContext sepPageContext) {
        return new SepsInStatePage(
                frame,
                state,
                sepPageContext.tone(state),
                filter,
                list.at("seps").elements().stream()
                        .map(line -> SepCard.of(line, sepPageContext))
                        .toList(),
                list.at("cursor").asText().map(cursor -> filter.path(state, cursor)),
                first,
                filter.isActive() || !list.at("counts").at(state).isPresent()
                        ? Optional.empty()
                        : Optional.of(list.at("counts").at(state).asLong(0)));
    }
}
