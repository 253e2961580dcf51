package dev.gavel.sep.text;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** Formats the guidance of a SEP as text: state, who must act, next step and possible moves. Stateless. */
final class SepGuidanceFormatter {
    private SepGuidanceFormatter() {}

    /** Returns all lines, the number and title first. */
    static List<String> format(Json next) {
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.numberAndTitle(next, ProposalTermsReader.read(next)));
        lines.addAll(formatBody(next, ResultPersonNames.of(next)));
        return lines;
    }

    /** Returns all lines except the number and title. */
    static List<String> formatBody(Json next, ResultPersonNames people) {
        List<String> lines = new ArrayList<>();
        lines.add("status:       " + status(next));
        lastMove(next.at("lastMove"), people, lines);
        lines.add("document:     " + ResultFieldFormatter.shortHash(next.at("hash")));
        changes(next, lines);
        pending(next, people, lines);
        lines.add("must act:     " + people.requiredActors(next.at("mustAct")));
        lines.add("input from:   " + people.parties(next.at("waitingOn")));
        lines.add("next step:    " + ResultFieldFormatter.singleLine(next.at("nextStep")));
        List<Json> moves = next.at("toAdvance").elements();
        lines.add("moves:" + (moves.isEmpty() ? "        none" : ""));
        moves.forEach(move -> lines.addAll(indent(move(move))));
        lines.add("deadline:     "
                + ResultFieldFormatter.expected(next.at("expectedBy")).orElse("none"));
        return lines;
    }

    /** Appends the last move with its whole evidence, such as the rationale of a rejection. */
    private static void lastMove(Json move, ResultPersonNames people, List<String> lines) {
        List<Json> evidence = move.at("evidence").elements();
        if (evidence.isEmpty()) {
            return;
        }
        lines.add("last move:    from " + ResultFieldFormatter.singleLine(move.at("from")) + " to "
                + ResultFieldFormatter.singleLine(move.at("to")) + " by " + people.name(move.at("by")) + ", "
                + ResultFieldFormatter.day(move.at("at")) + ", with");
        for (Json piece : evidence) {
            List<String> text = SafeText.lines(piece.at("value").text()).lines().toList();
            lines.add("  " + ResultFieldFormatter.singleLine(piece.at("says")) + ": "
                    + (text.isEmpty() ? "" : text.getFirst()));
            text.stream().skip(1).forEach(line -> lines.add("    " + line));
        }
    }

    /** Appends what changed in the document since the votes. */
    private static void changes(Json next, List<String> lines) {
        Json changed = next.at("changedSinceVote");
        if (changed.isPresent()) {
            lines.add("changed:      " + DocumentDiffFormatter.changedParts(changed)
                    + ", since the last vote on document " + ResultFieldFormatter.shortHash(changed.at("hash"))
                    + " ('gavel sep diff " + ResultFieldFormatter.singleLine(next.at("number")) + "')");
        }
    }

    /** Appends the votes that an edit voided, and the evidence that waits for a second person. */
    private static void pending(Json next, ResultPersonNames people, List<String> lines) {
        Json voided = next.at("voidedVotes");
        if (voided.isPresent()) {
            lines.add("voided votes: of " + people.names(voided.at("voters")) + ", by the edit of "
                    + people.name(voided.at("by")) + ", " + ResultFieldFormatter.day(voided.at("at")));
        }
        for (Json piece : next.at("confirmations").elements()) {
            lines.add("to confirm:   " + ResultFieldFormatter.singleLine(piece.at("kind")) + " of "
                    + people.name(piece.at("by")) + " ('gavel sep confirm "
                    + ResultFieldFormatter.singleLine(next.at("number")) + " "
                    + ResultFieldFormatter.singleLine(piece.at("kind")) + "'): "
                    + ResultFieldFormatter.singleLine(piece.at("value")));
        }
    }

    /** Returns the short form that follows the result of a change. */
    static List<String> formatBrief(Json next, ResultPersonNames people) {
        List<String> lines = new ArrayList<>();
        lines.add("status:       " + status(next));
        lines.add("must act:     " + people.requiredActors(next.at("mustAct")));
        lines.add("next step:    " + ResultFieldFormatter.singleLine(next.at("nextStep")));
        ResultFieldFormatter.expected(next.at("expectedBy")).ifPresent(by -> lines.add("deadline:     " + by));
        return lines;
    }

    /** Prefers the full sentence, which includes the state and since when the SEP is in it. */
    private static String status(Json next) {
        return ResultFieldFormatter.singleLine(
                next.at("says").asText().isPresent() ? next.at("says") : next.at("status"));
    }

    /** Returns the lines of a move: its target, who may make it, and its requirements. */
    static List<String> move(Json move) {
        List<String> lines = new ArrayList<>();
        String to = "to " + ResultFieldFormatter.singleLine(move.at("to"));
        if (move.at("barred").asText().isPresent()) {
            lines.add(to + ": not possible now");
            lines.add("  " + ResultFieldFormatter.singleLine(move.at("barred")));
            return lines;
        }
        String permission = move.at("youMay").isTrue()
                ? "you can do this " + (move.at("possible").isTrue() ? "now" : "when the requirements are met")
                : "only " + ResultFieldFormatter.singleLine(move.at("who")) + " can do this";
        lines.add(to + ": " + permission);
        for (Json need : move.at("requirements").elements()) {
            String accepts = ResultFieldFormatter.singleLine(need.at("accepts"));
            lines.add("  " + (need.at("met").isTrue() ? "[x] " : "[ ] ")
                    + ResultFieldFormatter.singleLine(need.at("says"))
                    + (accepts.isEmpty() ? "" : " (" + accepts + ")"));
        }
        return lines;
    }

    static List<String> indent(List<String> lines) {
        return lines.stream().map(line -> "  " + line).toList();
    }
}
