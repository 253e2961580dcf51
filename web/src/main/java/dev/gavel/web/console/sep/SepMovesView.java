package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * The moves possible from a SEP's current state, separated into moves forward and other moves.
 *
 * @param forward the moves that advance the SEP
 * @param others the moves that park or end the SEP
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
        List<SepMoveView> forward = new ArrayList<>();
        List<SepMoveView> others = new ArrayList<>();
        for (SepMoveView move : all) {
            (isForward(state, move.to(), sepPageContext) ? forward : others).add(move);
        }
        return new SepMovesView(forward, others);
    }

    /**
     * Whether a move leads to a state that requires an action, or from such a state to a settled state with the tone
     * "good".
     */
    private static boolean isForward(String from, String to, SepPageContext sepPageContext) {
        return sepPageContext.isOpen(to)
                || (sepPageContext.isOpen(from) && sepPageContext.tone(to).equals("good"));
    }
}
