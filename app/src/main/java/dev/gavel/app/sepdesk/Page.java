package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Everything about one proposal as text. Stateless. */
final class Page {
    private Page() {}

    static List<String> of(Json sep) {
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.titled(sep));
        lines.add("type:         " + Phrases.line(sep.at("type")));
        lines.add("authors:      " + Phrases.names(sep.at("authors")));
        lines.add("sponsor:      "
                + sep.at("sponsor").ifText().map(SafeText::line).orElse("none"));
        lines.add("submitted:    " + Phrases.day(sep.at("submitted")));
        sep.at("discussion").ifText().ifPresent(link -> lines.add("discussion:   " + SafeText.line(link)));
        links(sep.at("links"), lines);
        hold(sep.at("hold"), lines);
        tally(sep.at("tally"), lines);
        List<Json> evidence = sep.at("evidence").elements();
        if (!evidence.isEmpty()) {
            lines.add("evidence:");
            evidence.forEach(each -> lines.add("  " + Phrases.line(each.at("kind")) + ": "
                    + Phrases.line(each.at("value")) + " (" + Phrases.line(each.at("by")) + ", "
                    + Phrases.day(each.at("at")) + ")"));
        }
        comments(sep.at("comments"), lines);
        if (sep.at("next").there()) {
            lines.addAll(Card.body(sep.at("next")));
        } else {
            lines.add("status:       " + Phrases.line(sep.at("status")));
        }
        return lines;
    }

    private static void links(Json links, List<String> lines) {
        for (Map.Entry<String, Json> link : links.members().entrySet()) {
            List<String> numbers =
                    link.getValue().elements().stream().map(Phrases::line).toList();
            if (!numbers.isEmpty()) {
                lines.add(padded(link.getKey()) + "SEP-" + String.join(", SEP-", numbers));
            }
        }
    }

    private static String padded(String name) {
        String words = SafeText.line(name).replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT) + ":";
        return words + " ".repeat(Math.max(1, 14 - words.length()));
    }

    private static void hold(Json hold, List<String> lines) {
        if (hold.type() == Json.Type.OBJECT) {
            lines.add("on hold:      " + Phrases.line(hold.at("reason"))
                    + (hold.at("by").there() ? " (" + Phrases.line(hold.at("by")) + ")" : ""));
        } else if (hold.ifText().isPresent()) {
            lines.add("on hold:      " + Phrases.line(hold));
        }
    }

    private static void tally(Json tally, List<String> lines) {
        if (tally.type() == Json.Type.OBJECT) {
            lines.add("votes:        "
                    + (tally.at("says").ifText().isPresent()
                            ? Phrases.line(tally.at("says"))
                            : SafeText.line(tally.compact())));
        } else if (tally.ifText().isPresent()) {
            lines.add("votes:        " + Phrases.line(tally));
        }
    }

    private static void comments(Json comments, List<String> lines) {
        if (comments.type() == Json.Type.NUMBER) {
            lines.add("comments:     " + Phrases.line(comments));
            return;
        }
        if (!comments.elements().isEmpty()) {
            lines.add("comments:");
            comments.elements()
                    .forEach(each -> lines.add("  " + Phrases.day(each.at("at")) + " " + Phrases.line(each.at("by"))
                            + ": " + Phrases.line(each.at("text"))));
        }
    }
}
