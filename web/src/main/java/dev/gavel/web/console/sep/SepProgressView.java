package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The states that a SEP has passed through and those it can reach next.
 *
 * @param skipped the number of earliest states that are left out of a long list
 * @param ahead the states that moves forward lead to
 * @param otherStates the states that all other moves lead to
 */
public record SepProgressView(
        int skipped, List<ProgressStep> reached, List<ProgressStep> ahead, List<String> otherStates) {
    private static final int MAX_STATES = 12;

    public SepProgressView {
        reached = List.copyOf(reached);
        ahead = List.copyOf(ahead);
        otherStates = List.copyOf(otherStates);
    }

    /**
     * A state that the SEP has reached or can reach.
     *
     * @param at when the SEP reached the state
     */
    public record ProgressStep(String state, String tone, Optional<Instant> at, boolean current) {}

    static SepProgressView of(Json history, SepMovesView sepMovesView, SepPageContext sepPageContext) {
        List<ProgressStep> reached = new ArrayList<>();
        for (Json event : history.at("events").elements()) {
            Json detail = event.at("detail");
            Optional<String> state = switch (event.at("type").text()) {
                case "submitted" -> detail.at("state").asText();
                case "moved" -> detail.at("to").asText();
                default -> Optional.empty();
            };
            state.ifPresent(name -> reached.add(new ProgressStep(
                    name,
                    sepPageContext.tone(name),
                    Optional.of(Instant.parse(event.at("at").text())),
                    false)));
        }
        if (!reached.isEmpty()) {
            ProgressStep last = reached.removeLast();
            reached.add(new ProgressStep(last.state(), last.tone(), last.at(), true));
        }
        int skipped = Math.max(0, reached.size() - MAX_STATES);
        return new SepProgressView(
                skipped,
                reached.subList(skipped, reached.size()),
                sepMovesView.forward().stream()
                        .map(move ->
                                new ProgressStep(move.to(), sepPageContext.tone(move.to()), Optional.empty(), false))
                        .toList(),
                sepMovesView.others().stream().map(SepMoveView::to).toList());
    }
}
