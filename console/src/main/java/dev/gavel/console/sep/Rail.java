package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way of a SEP through its states: those it came to, the last being where it is, and those it can go on to.
 *
 * @param skipped how many at the beginning of a long way are left out
 * @param ahead where it can go on
 * @param elsewhere where else it can end up
 */
public record Rail(int skipped, List<Stop> reached, List<Stop> ahead, List<String> elsewhere) {
    private static final int MOST = 12;

    public Rail {
        reached = List.copyOf(reached);
        ahead = List.copyOf(ahead);
        elsewhere = List.copyOf(elsewhere);
    }

    /**
     * A state on the way.
     *
     * @param at when it came there
     */
    public record Stop(String state, String tone, Optional<Instant> at, boolean here) {}

    static Rail of(Json history, Outlook outlook, Viewer viewer) {
        List<Stop> reached = new ArrayList<>();
        for (Json event : history.at("events").elements()) {
            Json detail = event.at("detail");
            Optional<String> state = switch (event.at("type").text()) {
                case "submitted" -> detail.at("state").ifText();
                case "moved" -> detail.at("to").ifText();
                default -> Optional.empty();
            };
            state.ifPresent(name -> reached.add(new Stop(
                    name,
                    viewer.tone(name),
                    Optional.of(Instant.parse(event.at("at").text())),
                    false)));
        }
        if (!reached.isEmpty()) {
            Stop last = reached.removeLast();
            reached.add(new Stop(last.state(), last.tone(), last.at(), true));
        }
        int skipped = Math.max(0, reached.size() - MOST);
        return new Rail(
                skipped,
                reached.subList(skipped, reached.size()),
                outlook.on().stream()
                        .map(move -> new Stop(move.to(), viewer.tone(move.to()), Optional.empty(), false))
                        .toList(),
                outlook.others().stream().map(MoveView::to).toList());
    }
}
