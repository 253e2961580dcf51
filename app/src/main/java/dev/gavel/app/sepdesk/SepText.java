package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the desk answers, as lines for people to read; the same for the command line and for MCP clients. Stateless. */
public final class SepText {
    private static final int MOST_COMPLAINTS = 10;

    private SepText() {}

    /** An answer's lines, fit to be printed. */
    public static List<String> of(Verb verb, Json body) {
        return switch (verb) {
            case LIST -> list(body);
            case SHOW -> Page.of(body);
            case NEXT -> Card.whole(body);
            case EXPLAIN -> explain(body);
            case INBOX -> inbox(body);
            case TRIAGE -> triage(body);
            case MAINTAINERS -> maintainers(body);
            case SIMILAR -> similar(body.at("similar"), "nothing like it");
            case HISTORY -> history(body);
            case STATS -> Figures.of(body);
            case SWEEP -> sweep(body);
            case IMPORT -> imported(body);
            case EXPORT -> SafeText.lines(body.at("document").text()).lines().toList();
            case LINT -> lint(body);
            case SUBMIT -> submitted(body);
            case EDIT,
                    ASK,
                    SPONSOR,
                    STEP_DOWN,
                    MOVE,
                    COMMENT,
                    ATTACH,
                    VOTE,
                    HOLD,
                    RELEASE,
                    WITHDRAW,
                    SUPERSEDE,
                    TRANSFER -> changed(verb, body);
        };
    }

    private static List<String> list(Json body) {
        List<Json> seps = body.at("seps").elements();
        if (seps.isEmpty()) {
            return List.of("no such SEP");
        }
        Grid grid = new Grid("SEP", "STATUS", "SINCE", "SPONSOR", "MUST ACT", "TITLE");
        seps.forEach(sep -> grid.row(
                Phrases.line(sep.at("number")),
                Phrases.line(sep.at("status")),
                Phrases.day(sep.at("since")),
                sep.at("sponsor").ifText().map(SafeText::line).orElse(Phrases.NONE),
                Phrases.holderNames(sep.at("mustAct")),
                Phrases.line(sep.at("title"))));
        List<String> lines = new ArrayList<>(grid.lines());
        body.at("cursor").ifText().ifPresent(cursor -> lines.add("more after cursor " + SafeText.line(cursor)));
        return lines;
    }

    private static List<String> explain(Json body) {
        // All moves, or the one that was asked for.
        List<Json> moves = body.at("toAdvance").there()
                ? body.at("toAdvance").elements()
                : body.at("moves").elements();
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.titled(body)
                + (body.at("status").ifText().isPresent() ? " is " + Phrases.line(body.at("status")) : ""));
        if (moves.isEmpty()) {
            lines.add("  there is no move from here");
        }
        for (Json move : moves) {
            lines.addAll(Card.indented(Card.move(move)));
        }
        return lines;
    }

    private static List<String> inbox(Json body) {
        List<Json> seps = body.at("seps").elements();
        if (seps.isEmpty()) {
            return List.of("nothing waits for you");
        }
        List<String> lines = new ArrayList<>();
        for (Json sep : seps) {
            lines.add(Phrases.titled(sep) + " (" + Phrases.line(sep.at("status")) + ", with you since "
                    + Phrases.day(sep.at("holdingSince").there() ? sep.at("holdingSince") : sep.at("since"))
                    + ")");
            sep.at("because").ifText().ifPresent(because -> lines.add("  because:      " + SafeText.line(because)));
            lines.add("  next step:    " + Phrases.line(sep.at("nextStep")));
            Phrases.expected(sep.at("expectedBy")).ifPresent(by -> lines.add("  expected by:  " + by));
        }
        return lines;
    }

    private static List<String> triage(Json body) {
        List<Json> seps = body.at("seps").elements();
        if (seps.isEmpty()) {
            return List.of("no SEP waits for a sponsor");
        }
        Grid grid = new Grid("SEP", "DAYS", "SINCE", "ANSWERED", "AUTHORS", "TITLE");
        seps.forEach(sep -> grid.row(
                Phrases.line(sep.at("number")),
                Phrases.line(sep.at("days")),
                Phrases.day(sep.at("waitingSince")),
                sep.at("answered").isTrue() ? "yes" : "no",
                Phrases.names(sep.at("authors")),
                Phrases.line(sep.at("title"))));
        return grid.lines();
    }

    private static List<String> maintainers(Json body) {
        List<Json> people = body.at("maintainers").elements();
        if (people.isEmpty()) {
            return List.of("nobody has a role of this process");
        }
        Grid grid = new Grid("NAME", "ROLES", "HANDLES", "LOAD", "SPONSORS");
        people.forEach(person -> grid.row(
                Phrases.line(person.at("id")),
                Phrases.names(person.at("roles")),
                Phrases.names(person.at("handles")),
                Phrases.line(person.at("load")) + "/" + Phrases.line(person.at("limit"))
                        + (person.at("over").isTrue() ? " (over)" : ""),
                Phrases.numbers(person.at("sponsors"))));
        return grid.lines();
    }

    static List<String> similar(Json similar, String none) {
        List<Json> seps = similar.elements();
        if (seps.isEmpty()) {
            return List.of(none);
        }
        Grid grid = new Grid("SEP", "LIKE", "STATUS", "TITLE");
        seps.forEach(sep -> grid.row(
                Phrases.line(sep.at("number")),
                percent(sep.at("score")),
                Phrases.line(sep.at("status")),
                Phrases.line(sep.at("title"))));
        return grid.lines();
    }

    private static String percent(Json score) {
        try {
            return String.format(Locale.ROOT, "%.0f%%", 100 * Double.parseDouble(score.text()));
        } catch (NumberFormatException e) {
            return Phrases.line(score);
        }
    }

    private static List<String> history(Json body) {
        Grid grid = new Grid("WHEN (UTC)", "WHAT");
        body.at("events")
                .elements()
                .forEach(event -> grid.row(
                        Phrases.minute(event.at("at")),
                        event.at("says").ifText().isPresent()
                                ? Phrases.line(event.at("says"))
                                : Phrases.line(event.at("type"))));
        return grid.lines();
    }

    private static List<String> sweep(Json body) {
        List<Json> due = body.at("due").elements();
        boolean dry = body.at("dryRun").isTrue();
        String asOf = body.at("asOf").ifText().isPresent() ? " as of " + Phrases.day(body.at("asOf")) : "";
        if (due.isEmpty()) {
            return List.of("nothing is due" + asOf);
        }
        List<String> lines = new ArrayList<>();
        lines.add((dry ? "would be done" : "done") + asOf + ":");
        for (Json each : due) {
            lines.add("  " + Phrases.line(each.at("kind")) + "  " + Phrases.titled(each)
                    + (whom(each).isEmpty() ? "" : "  to " + whom(each)));
            lines.add("    " + Phrases.line(each.at("says")));
        }
        return lines;
    }

    private static String whom(Json due) {
        Json whom = due.at("whom");
        return SafeText.line(String.join(", ", whom.texts()));
    }

    private static List<String> imported(Json body) {
        List<String> lines = new ArrayList<>();
        String outcome = Phrases.line(body.at("outcome"));
        lines.add(Phrases.titled(body) + " (" + outcome + ", " + Phrases.line(body.at("status")) + ")");
        body.at("advice").texts().forEach(advice -> lines.add("    " + SafeText.line(advice)));
        body.at("findings").elements().forEach(finding -> lines.addAll(finding(finding)));
        return lines;
    }

    private static List<String> lint(Json body) {
        List<Json> findings = body.at("findings").elements();
        return findings.isEmpty()
                ? List.of("nothing to complain of")
                : findings.stream().flatMap(each -> finding(each).stream()).toList();
    }

    /** What is wrong, and how to mend it. */
    public static List<String> finding(Json finding) {
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.line(finding.at("file")) + ":" + Phrases.line(finding.at("line")) + ":"
                + Phrases.line(finding.at("column")) + ": " + Phrases.line(finding.at("severity")) + " "
                + Phrases.line(finding.at("code")) + ": " + Phrases.line(finding.at("message")));
        finding.at("help")
                .ifText()
                .filter(help -> !help.isBlank())
                .ifPresent(help -> lines.add("    help: " + SafeText.line(help)));
        return lines;
    }

    private static List<String> submitted(Json body) {
        List<String> lines = new ArrayList<>();
        lines.add("submitted as " + Phrases.titled(body));
        body.at("advice").texts().forEach(advice -> lines.add("advice:       " + SafeText.line(advice)));
        complaints(body, lines);
        if (!body.at("similar").elements().isEmpty()) {
            lines.add("like it:");
            lines.addAll(Card.indented(similar(body.at("similar"), "")));
        }
        lines.addAll(Card.brief(body.at("next")));
        return lines;
    }

    private static List<String> changed(Verb verb, Json body) {
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.titled(body));
        List<String> did = body.at("did").texts();
        (did.isEmpty() ? List.of(verb.word() + ": nothing had to be changed") : did)
                .forEach(said -> lines.add("  " + SafeText.line(said)));
        body.at("advice").texts().forEach(advice -> lines.add("advice:       " + SafeText.line(advice)));
        complaints(body, lines);
        if (body.at("next").there()) {
            lines.addAll(Card.brief(body.at("next")));
        }
        return lines;
    }

    /** What is wrong with a document that was taken; a section that may still come is no complaint yet. */
    private static void complaints(Json body, List<String> lines) {
        body.at("findings").elements().stream()
                .filter(finding -> !finding.at("severity").text().equals("note")
                        && !finding.at("code").text().startsWith("section-"))
                .limit(MOST_COMPLAINTS)
                .forEach(finding -> lines.addAll(finding(finding)));
    }
}
