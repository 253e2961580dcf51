package dev.gavel.sep.text;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Formats the result of any SEP operation as lines of text, the same for the command line and MCP clients. Stateless.
 */
public final class SepResultFormatter {
    private static final int MAX_FINDINGS = 10;

    private SepResultFormatter() {}

    /** Returns the lines of a result, safe to print. */
    public static List<String> format(SepOperation sepOperation, Json body) {
        return switch (sepOperation) {
            case LIST -> list(body);
            case SHOW -> SepDetailsFormatter.format(body);
            case NEXT -> SepGuidanceFormatter.format(body);
            case EXPLAIN -> explain(body);
            case INBOX -> inbox(body);
            case TRIAGE -> triage(body);
            case MAINTAINERS -> maintainers(body);
            case SIMILAR ->
                similar(body, "no similar " + ProposalTermsReader.read(body).plural());
            case HISTORY -> history(body);
            case DIFF -> DocumentDiffFormatter.format(body);
            case STATS -> StatsResultFormatter.format(body);
            case SWEEP -> sweep(body);
            case IMPORT -> formatImport(body);
            case EXPORT -> SafeText.lines(body.at("document").text()).lines().toList();
            case LINT -> lint(body);
            case SUBMIT -> formatSubmission(body);
            case EDIT,
                    ASK,
                    SPONSOR,
                    STEP_DOWN,
                    MOVE,
                    COMMENT,
                    ATTACH,
                    CONFIRM,
                    VOTE,
                    HOLD,
                    RELEASE,
                    WITHDRAW,
                    SUPERSEDE,
                    TRANSFER -> formatChange(sepOperation, body);
        };
    }

    private static List<String> list(Json body) {
        List<Json> seps = body.at("seps").elements();
        if (seps.isEmpty()) {
            return List.of("no matching " + ProposalTermsReader.read(body).plural());
        }
        ResultPersonNames people = ResultPersonNames.of(body);
        ResultTextTable resultTextTable =
                new ResultTextTable(header(body), "STATUS", "SINCE", "SPONSOR", "MUST ACT", "TITLE");
        seps.forEach(sep -> resultTextTable.addRow(
                ResultFieldFormatter.singleLine(sep.at("number")),
                ResultFieldFormatter.singleLine(sep.at("status")),
                ResultFieldFormatter.day(sep.at("since")),
                sep.at("sponsor").asText().isPresent() ? people.name(sep.at("sponsor")) : ResultFieldFormatter.NONE,
                people.requiredActorNames(sep.at("mustAct")),
                ResultFieldFormatter.singleLine(sep.at("title"))));
        List<String> lines = new ArrayList<>(resultTextTable.lines());
        body.at("cursor").asText().ifPresent(cursor -> lines.add("more results after cursor " + SafeText.line(cursor)));
        return lines;
    }

    private static List<String> explain(Json body) {
        // The result has either all moves or the one move that the caller requested.
        List<Json> moves = body.at("toAdvance").isPresent()
                ? body.at("toAdvance").elements()
                : body.at("moves").elements();
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.numberAndTitle(body, ProposalTermsReader.read(body))
                + (body.at("status").asText().isPresent()
                        ? " is " + ResultFieldFormatter.singleLine(body.at("status"))
                        : ""));
        if (moves.isEmpty()) {
            lines.add("  no moves");
        }
        for (Json move : moves) {
            lines.addAll(SepGuidanceFormatter.indent(SepGuidanceFormatter.move(move)));
        }
        return lines;
    }

    private static List<String> inbox(Json body) {
        List<Json> seps = body.at("seps").elements();
        ProposalTerms terms = ProposalTermsReader.read(body);
        List<String> lines = new ArrayList<>();
        if (seps.isEmpty()) {
            lines.add("nothing is waiting for you");
        }
        for (Json sep : seps) {
            lines.add(ResultFieldFormatter.numberAndTitle(sep, terms) + " ("
                    + ResultFieldFormatter.singleLine(sep.at("status")) + ", waiting for you since "
                    + ResultFieldFormatter.day(
                            sep.at("holdingSince").isPresent() ? sep.at("holdingSince") : sep.at("since"))
                    + ")");
            sep.at("because").asText().ifPresent(because -> lines.add("  reason:       " + SafeText.line(because)));
            lines.add("  next step:    " + ResultFieldFormatter.singleLine(sep.at("nextStep")));
            ResultFieldFormatter.expected(sep.at("expectedBy")).ifPresent(by -> lines.add("  deadline:     " + by));
        }
        for (Json outcome : body.at("outcomes").elements()) {
            lines.add(ResultFieldFormatter.numberAndTitle(outcome, terms) + " (outcome of "
                    + ResultFieldFormatter.day(outcome.at("at")) + ")");
            outcome.at("text").text().lines().forEach(line -> lines.add("  " + SafeText.line(line)));
        }
        return lines;
    }

    private static List<String> triage(Json body) {
        List<Json> seps = body.at("seps").elements();
        if (seps.isEmpty()) {
            return List.of("no " + ProposalTermsReader.read(body).name() + " is waiting for a sponsor");
        }
        ResultPersonNames people = ResultPersonNames.of(body);
        ResultTextTable resultTextTable =
                new ResultTextTable(header(body), "DAYS", "SINCE", "ANSWERED", "AUTHORS", "TITLE");
        seps.forEach(sep -> resultTextTable.addRow(
                ResultFieldFormatter.singleLine(sep.at("number")),
                ResultFieldFormatter.singleLine(sep.at("days")),
                ResultFieldFormatter.day(sep.at("waitingSince")),
                sep.at("answered").isTrue() ? "yes" : "no",
                people.names(sep.at("authors")),
                ResultFieldFormatter.singleLine(sep.at("title"))));
        return resultTextTable.lines();
    }

    private static List<String> maintainers(Json body) {
        List<Json> people = body.at("maintainers").elements();
        if (people.isEmpty()) {
            return List.of("no one has a role in this process");
        }
        ResultTextTable resultTextTable = new ResultTextTable("ID", "NAME", "ROLES", "HANDLES", "LOAD", "SPONSORS");
        people.forEach(person -> resultTextTable.addRow(
                ResultFieldFormatter.singleLine(person.at("id")),
                ResultFieldFormatter.singleLine(person.at("name")),
                ResultFieldFormatter.texts(person.at("roles")),
                ResultFieldFormatter.texts(person.at("handles")),
                ResultFieldFormatter.singleLine(person.at("load")) + "/"
                        + ResultFieldFormatter.singleLine(person.at("limit"))
                        + (person.at("over").isTrue() ? " (over)" : ""),
                ResultFieldFormatter.numbers(person.at("sponsors"))));
        return resultTextTable.lines();
    }

    private static List<String> similar(Json body, String none) {
        List<Json> seps = body.at("similar").elements();
        if (seps.isEmpty()) {
            return List.of(none);
        }
        ResultTextTable resultTextTable = new ResultTextTable(header(body), "SIMILAR", "STATUS", "TITLE");
        seps.forEach(sep -> resultTextTable.addRow(
                ResultFieldFormatter.singleLine(sep.at("number")),
                percent(sep.at("score")),
                ResultFieldFormatter.singleLine(sep.at("status")),
                ResultFieldFormatter.singleLine(sep.at("title"))));
        return resultTextTable.lines();
    }

    /** Returns the header of the column with the numbers. */
    private static String header(Json body) {
        return ProposalTermsReader.read(body).name().toUpperCase(Locale.ROOT);
    }

    private static String percent(Json score) {
        try {
            return String.format(Locale.ROOT, "%.0f%%", 100 * Double.parseDouble(score.text()));
        } catch (NumberFormatException e) {
            return ResultFieldFormatter.singleLine(score);
        }
    }

    private static List<String> history(Json body) {
        ResultTextTable resultTextTable = new ResultTextTable("TIME (UTC)", "DOCUMENT", "EVENT");
        body.at("events")
                .elements()
                .forEach(event -> resultTextTable.addRow(
                        ResultFieldFormatter.minute(event.at("at")),
                        ResultFieldFormatter.shortHash(event.at("hash")),
                        event.at("says").asText().isPresent()
                                ? ResultFieldFormatter.singleLine(event.at("says"))
                                : ResultFieldFormatter.singleLine(event.at("type"))));
        return resultTextTable.lines();
    }

    private static List<String> sweep(Json body) {
        List<Json> due = body.at("due").elements();
        boolean dry = body.at("dryRun").isTrue();
        String asOf = body.at("asOf").asText().isPresent() ? " as of " + ResultFieldFormatter.day(body.at("asOf")) : "";
        String heading = (dry ? "dry run" : "done") + asOf + ":";
        List<Json> digests = body.at("digests").elements();
        if (due.isEmpty() && digests.isEmpty()) {
            return List.of(heading + " no actions");
        }
        ResultPersonNames people = ResultPersonNames.of(body);
        List<String> lines = new ArrayList<>();
        lines.add(heading);
        for (Json each : due) {
            lines.add("  " + ResultFieldFormatter.singleLine(each.at("kind")) + "  "
                    + ResultFieldFormatter.numberAndTitle(each, ProposalTermsReader.read(body))
                    + (each.at("whom").elements().isEmpty() ? "" : "  to " + people.names(each.at("whom"))));
            lines.add("    " + ResultFieldFormatter.singleLine(each.at("says")));
        }
        digests.forEach(digest -> lines.add("  digest  to " + ResultFieldFormatter.singleLine(digest.at("role")) + ": "
                + digest.at("seps").asLong(0) + " waiting"));
        return lines;
    }

    private static List<String> formatImport(Json body) {
        List<String> lines = new ArrayList<>();
        String outcome = ResultFieldFormatter.singleLine(body.at("outcome"));
        lines.add(ResultFieldFormatter.numberAndTitle(body, ProposalTermsReader.read(body)) + " (" + outcome + ", "
                + ResultFieldFormatter.singleLine(body.at("status")) + ")");
        body.at("advice").texts().forEach(advice -> lines.add("    " + SafeText.line(advice)));
        body.at("findings").elements().forEach(finding -> lines.addAll(formatFinding(finding)));
        return lines;
    }

    private static List<String> lint(Json body) {
        List<Json> findings = body.at("findings").elements();
        return findings.isEmpty()
                ? List.of("no problems found")
                : findings.stream()
                        .flatMap(each -> formatFinding(each).stream())
                        .toList();
    }

    /** Returns the lines of a lint finding: position, severity, code and message, and then the fix. */
    public static List<String> formatFinding(Json finding) {
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.singleLine(finding.at("file")) + ":"
                + ResultFieldFormatter.singleLine(finding.at("line")) + ":"
                + ResultFieldFormatter.singleLine(finding.at("column")) + ": "
                + ResultFieldFormatter.singleLine(finding.at("severity")) + " "
                + ResultFieldFormatter.singleLine(finding.at("code")) + ": "
                + ResultFieldFormatter.singleLine(finding.at("message")));
        finding.at("help")
                .asText()
                .filter(help -> !help.isBlank())
                .ifPresent(help -> lines.add("    help: " + SafeText.line(help)));
        return lines;
    }

    private static List<String> formatSubmission(Json body) {
        List<String> lines = new ArrayList<>();
        lines.add("submitted as " + ResultFieldFormatter.numberAndTitle(body, ProposalTermsReader.read(body)));
        body.at("advice").texts().forEach(advice -> lines.add("advice:       " + SafeText.line(advice)));
        addFindings(body, lines);
        if (!body.at("similar").elements().isEmpty()) {
            lines.add("similar " + ProposalTermsReader.read(body).plural() + ":");
            lines.addAll(SepGuidanceFormatter.indent(similar(body, "")));
        }
        lines.addAll(SepGuidanceFormatter.formatBrief(body.at("next"), ResultPersonNames.of(body)));
        return lines;
    }

    private static List<String> formatChange(SepOperation sepOperation, Json body) {
        List<String> lines = new ArrayList<>();
        lines.add(ResultFieldFormatter.numberAndTitle(body, ProposalTermsReader.read(body)));
        List<String> did = body.at("did").texts();
        (did.isEmpty() ? List.of(sepOperation.wireName() + ": no changes") : did)
                .forEach(action -> lines.add("  " + SafeText.line(action)));
        body.at("advice").texts().forEach(advice -> lines.add("advice:       " + SafeText.line(advice)));
        addFindings(body, lines);
        if (body.at("next").isPresent()) {
            lines.addAll(SepGuidanceFormatter.formatBrief(body.at("next"), ResultPersonNames.of(body)));
        }
        return lines;
    }

    /**
     * Appends the findings of a document that was accepted. Findings about missing sections are left out, because the
     * author may still add the sections.
     */
    private static void addFindings(Json body, List<String> lines) {
        body.at("findings").elements().stream()
                .filter(finding -> !finding.at("severity").text().equals("note")
                        && !finding.at("code").text().startsWith("section-"))
                .limit(MAX_FINDINGS)
                .forEach(finding -> lines.addAll(formatFinding(finding)));
    }
}
