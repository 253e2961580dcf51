package dev.gavel.sep.text;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats all details of one SEP as text. Stateless. */
final class SepDetailsFormatter {
    private SepDetailsFormatter() {}

    static List<String> format(Json sep) {
        ResultPersonNames people = ResultPersonNames.of(sep);
        ProposalTerms terms = ProposalTermsReader.read(sep);
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.numberAndTitle(sep, terms));
        lines.add("type:         " + ResultFieldFormatter.singleLine(sep.at("type")));
        lines.add("authors:      " + people.names(sep.at("authors")));
        lines.add(
                "sponsor:      " + (sep.at("sponsor").asText().isPresent() ? people.name(sep.at("sponsor")) : "none"));
        lines.add("submitted:    " + ResultFieldFormatter.day(sep.at("submitted")));
        sep.at("discussion").asText().ifPresent(link -> lines.add("discussion:   " + SafeText.line(link)));
        links(sep.at("links"), terms, lines);
        hold(sep.at("hold"), people, lines);
        tally(sep.at("tally"), lines);
        decision(sep.at("decision"), people, lines);
        List<Json> evidence = sep.at("evidence").elements();
        if (!evidence.isEmpty()) {
            lines.add("evidence:");
            evidence.forEach(each -> lines.add("  " + ResultFieldFormatter.singleLine(each.at("kind")) + ": "
                    + ResultFieldFormatter.singleLine(each.at("value")) + " ("
                    + people.name(each.at("by")) + ", "
                    + ResultFieldFormatter.day(each.at("at")) + ")"));
        }
        comments(sep.at("comments"), people, lines);
        if (sep.at("next").isPresent()) {
            lines.addAll(SepGuidanceFormatter.formatBody(sep.at("next"), people));
        } else {
            lines.add("status:       " + ResultFieldFormatter.singleLine(sep.at("status")));
        }
        return lines;
    }

    private static void links(Json links, ProposalTerms terms, List<String> lines) {
        for (Map.Entry<String, Json> link : links.members().entrySet()) {
            List<String> numbers = link.getValue().elements().stream()
                    .map(number -> terms.numberLabel(ResultFieldFormatter.singleLine(number)))
                    .toList();
            if (!numbers.isEmpty()) {
                lines.add(paddedLabel(link.getKey()) + String.join(", ", numbers));
            }
        }
    }

    private static String paddedLabel(String name) {
        String words = SafeText.line(name).replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT) + ":";
        return words + " ".repeat(Math.max(1, 14 - words.length()));
    }

    private static void hold(Json hold, ResultPersonNames people, List<String> lines) {
        if (hold.type() == Json.Type.OBJECT) {
            lines.add("on hold:      " + ResultFieldFormatter.singleLine(hold.at("reason"))
                    + (hold.at("by").isPresent() ? " (" + people.name(hold.at("by")) + ")" : ""));
        } else if (hold.asText().isPresent()) {
            lines.add("on hold:      " + ResultFieldFormatter.singleLine(hold));
        }
    }

    private static void tally(Json tally, List<String> lines) {
        if (tally.type() == Json.Type.OBJECT) {
            lines.add("votes:        "
                    + (tally.at("says").asText().isPresent()
                            ? ResultFieldFormatter.singleLine(tally.at("says"))
                            : SafeText.line(tally.compact())));
        } else if (tally.asText().isPresent()) {
            lines.add("votes:        " + ResultFieldFormatter.singleLine(tally));
        }
    }

    /** Appends which document was decided about, and whether it still is the current one. */
    private static void decision(Json decision, ResultPersonNames people, List<String> lines) {
        if (decision.type() != Json.Type.OBJECT) {
            return;
        }
        String comparison = switch (decision.at("currentDocument").text()) {
            case "same" -> "the current document is the same";
            case "editorial" ->
                "the current document differs only editorially (" + DocumentDiffFormatter.changedParts(decision) + ")";
            default -> "the current document differs (" + DocumentDiffFormatter.changedParts(decision) + ")";
        };
        lines.add("decision:     " + ResultFieldFormatter.singleLine(decision.at("state")) + " by "
                + people.name(decision.at("by")) + " on " + ResultFieldFormatter.day(decision.at("at"))
                + " with document " + ResultFieldFormatter.shortHash(decision.at("hash")) + "; " + comparison);
    }

    private static void comments(Json comments, ResultPersonNames people, List<String> lines) {
        if (comments.type() == Json.Type.NUMBER) {
            lines.add("comments:     " + ResultFieldFormatter.singleLine(comments));
            return;
        }
        if (!comments.elements().isEmpty()) {
            lines.add("comments:");
            comments.elements()
                    .forEach(each -> lines.add("  " + ResultFieldFormatter.day(each.at("at")) + " "
                            + people.name(each.at("by")) + ": "
                            + ResultFieldFormatter.singleLine(each.at("text"))));
        }
    }
}
