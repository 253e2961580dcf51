package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * What can become of a SEP.
 *
 * @param on the moves by which it goes on
 * @param others those by which it comes to rest, or ends
 */
public record Outlook(List<MoveView> on, List<MoveView> others) {
    public Outlook {
        on = List.copyOf(on);
        others = List.copyOf(others);
    }

    static Outlook of(Json explain, String state, Viewer viewer) {
        List<MoveView> all = explain.at("moves").elements().stream()
                .map(move -> MoveView.of(move, viewer))
                .toList();
        List<MoveView> on = new ArrayList<>();
        List<MoveView> others = new ArrayList<>();
        for (MoveView move : all) {
            (goesOn(state, move.to(), viewer) ? on : others).add(move);
        }
        return new Outlook(on, others);
    }

    /** To a state where somebody must act, or, being in one, to what is good and settled. */
    private static boolean goesOn(String from, String to, Viewer viewer) {
        return viewer.open(to) || (viewer.open(from) && viewer.tone(to).equals("good"));
    }
}
