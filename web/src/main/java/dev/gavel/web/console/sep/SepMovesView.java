package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * The moves possible from a SEP's current state, separated into moves forward and other moves.
 *
 * @param forward the moves by which it goes on
 * @param others those by which it comes to rest, or ends
 */
public record SepMovesView(List<SepMoveView> forward, List<SepMoveView> others) {
    public SepMovesView {
        forward = List.copyOf(forward);
        others = List.copyOf(others);
    }

    static SepMovesView of(Json explain, String state, SepPageContext sepPageContext) {
        List<SepMoveView> all = explain.at("moves").elements().stream()
                .map(move -> SepMoveView.of(move, sepPageContext))
                .toList();
        List<SepMoveView> on = new ArrayList<>();
        List<SepMoveView> others = new ArrayList<>();
        for (SepMoveView move : all) {
            (isForward(state, move.to(), sepPageContext) ? on : others).add(move);
        }
        return new SepMovesView(on, others);
    }

    /** To a state where somebody must act, or, being in one, to what is good and settled. */
    private static boolean isForward(String from, String to, SepPageContext sepPageContext) {
        return sepPageContext.isOpen(to)
                || (sepPageContext.isOpen(from) && sepPageContext.tone(to).equals("good"));
    }
}
