package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The guidance of one proposal as text: how it stands, who must act, what to do next. Stateless. */
final class Card {
    private Card() {}

    /** All of it. */
    static List<String> whole(Json next) {
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.titled(next));
        lines.addAll(body(next));
        return lines;
    }

    /** All of it but the title. */
    static List<String> body(Json next) {
        List<String> lines = new ArrayList<>();
        lines.add("status:       " + status(next));
        lines.add("must act:     " + Phrases.holders(next.at("mustAct")));
        lines.add("waiting on:   " + Phrases.parties(next.at("waitingOn")));
        lines.add("next step:    " + Phrases.line(next.at("nextStep")));
        List<Json> moves = next.at("toAdvance").elements();
        lines.add("to advance:" + (moves.isEmpty() ? "   there is no move from here" : ""));
        moves.forEach(move -> lines.addAll(indented(move(move))));
        lines.add("expected by:  " + Phrases.expected(next.at("expectedBy")).orElse("no date"));
        return lines;
    }

    /** What somebody wants to know who has just done something. */
    static List<String> brief(Json next) {
        List<String> lines = new ArrayList<>();
        lines.add("status:       " + status(next));
        lines.add("must act:     " + Phrases.holders(next.at("mustAct")));
        lines.add("next step:    " + Phrases.line(next.at("nextStep")));
        Phrases.expected(next.at("expectedBy")).ifPresent(by -> lines.add("expected by:  " + by));
        return lines;
    }

    /** The sentence has the state and since when in it. */
    private static String status(Json next) {
        return Phrases.line(next.at("says").ifText().isPresent() ? next.at("says") : next.at("status"));
    }

    /** A move, who may make it, and what it takes. */
    static List<String> move(Json move) {
        List<String> lines = new ArrayList<>();
        String to = "to " + Phrases.line(move.at("to"));
        if (move.at("barred").ifText().isPresent()) {
            lines.add(to + ": not now");
            lines.add("  " + Phrases.line(move.at("barred")));
            return lines;
        }
        String may = move.at("youMay").isTrue() ? "you may" : "only " + Phrases.line(move.at("who")) + " may";
        lines.add(to + ": " + may + (move.at("possible").isTrue() ? ", now" : ""));
        for (Json need : move.at("requirements").elements()) {
            String accepts = Phrases.line(need.at("accepts"));
            lines.add("  " + (need.at("met").isTrue() ? "[x] " : "[ ] ") + Phrases.line(need.at("says"))
                    + (accepts.isEmpty() ? "" : " (" + accepts + ")"));
        }
        return lines;
    }

    static List<String> indented(List<String> lines) {
        return lines.stream().map(line -> "  " + line).toList();
    }
}
