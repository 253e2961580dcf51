package dev.gavel.sep.text;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the statistics result of the SEP service as text tables. Stateless. */
final class StatsResultFormatter {
    private static final int MONTHS = 12;

    private StatsResultFormatter() {}

    static List<String> format(Json stats) {
        List<String> lines = new ArrayList<>();
        long total = stats.at("seps").asLong(0);
        ProposalTerms terms = ProposalTermsReader.read(stats);
        lines.add(terms.count(total) + ", " + stats.at("open").asLong(0) + " open");
        Json first = stats.at("firstResponse");
        lines.add("first response: median " + days(first.at("medianDays")) + ", 90% within "
                + days(first.at("p90Days")) + "; "
                + first.at("unanswered").elements().size() + " without a response");
        lines.add("");
        ResultTextTable states = new ResultTextTable("STATE", "NOW", "LEFT", "MEDIAN", "P90");
        stats.at("states")
                .elements()
                .forEach(state -> states.addRow(
                        ResultFieldFormatter.singleLine(state.at("state")),
                        ResultFieldFormatter.singleLine(state.at("now")),
                        ResultFieldFormatter.singleLine(state.at("left")),
                        days(state.at("medianDays")),
                        days(state.at("p90Days"))));
        lines.addAll(states.lines());
        List<Json> months = stats.at("months").elements();
        if (!months.isEmpty()) {
            lines.add("");
            ResultTextTable resultTextTable = new ResultTextTable("MONTH", "SUBMITTED", "SETTLED", "ENDED", "OPEN");
            months.stream()
                    .skip(Math.max(0, months.size() - MONTHS))
                    .forEach(month -> resultTextTable.addRow(
                            ResultFieldFormatter.singleLine(month.at("month")),
                            ResultFieldFormatter.singleLine(month.at("submitted")),
                            ResultFieldFormatter.singleLine(month.at("settled")),
                            ResultFieldFormatter.singleLine(month.at("ended")),
                            ResultFieldFormatter.singleLine(month.at("open"))));
            lines.addAll(resultTextTable.lines());
        }
        ResultPersonNames people = ResultPersonNames.of(stats);
        ResultTextTable load = new ResultTextTable("PERSON", "ROLE", "OPEN", upperCase(terms.plural()));
        stats.at("load")
                .elements()
                .forEach(each -> load.addRow(
                        people.name(each.at("who")),
                        ResultFieldFormatter.singleLine(each.at("role")),
                        String.valueOf(each.at("open").elements().size()),
                        ResultFieldFormatter.numbers(each.at("open"))));
        ResultTextTable stuck =
                new ResultTextTable("STUCK " + upperCase(terms.name()), "DAYS", "STATUS", "MUST ACT", "TITLE");
        stats.at("stuck")
                .elements()
                .forEach(each -> stuck.addRow(
                        ResultFieldFormatter.singleLine(each.at("number")),
                        ResultFieldFormatter.singleLine(each.at("days")),
                        ResultFieldFormatter.singleLine(each.at("status")),
                        people.names(each.at("mustAct")),
                        ResultFieldFormatter.singleLine(each.at("title"))));
        append(load, stats.at("load"), lines);
        append(stuck, stats.at("stuck"), lines);
        return lines;
    }

    private static String upperCase(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static void append(ResultTextTable resultTextTable, Json list, List<String> lines) {
        if (!list.elements().isEmpty()) {
            lines.add("");
            lines.addAll(resultTextTable.lines());
        }
    }

    private static String days(Json days) {
        return days.type() == Json.Type.NUMBER
                ? ResultFieldFormatter.singleLine(days) + " d"
                : ResultFieldFormatter.NONE;
    }
}
