package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * One page of the SEPs in a state, the newest first.
 *
 * @param next where the list goes on
 * @param first whether it begins here
 * @param count how many there are; not known of those somebody looks for
 */
public record StatePage(
        Frame frame,
        String state,
        String tone,
        Filter filter,
        List<SepCard> cards,
        Optional<String> next,
        boolean first,
        Optional<Long> count) {
    public StatePage {
        cards = List.copyOf(cards);
    }

    /** What the desk listed. */
    public static StatePage of(Frame frame, String state, Json list, Filter filter, boolean first, Viewer viewer) {
        return new StatePage(
                frame,
                state,
                viewer.tone(state),
                filter,
                list.at("seps").elements().stream()
                        .map(line -> SepCard.of(line, viewer))
                        .toList(),
                list.at("cursor").ifText().map(cursor -> filter.path(state, cursor)),
                first,
                filter.any() || !list.at("counts").at(state).there()
                        ? Optional.empty()
                        : Optional.of(list.at("counts").at(state).number(0)));
    }
}
