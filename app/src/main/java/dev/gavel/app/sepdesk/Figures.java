package dev.gavel.app.sepdesk;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Figures of the whole process as tables. Stateless. */
final class Figures {
    private static final int MONTHS = 12;

    private Figures() {}

    static List<String> of(Json stats) {
        List<String> lines = new ArrayList<>();
        lines.add(Phrases.line(stats.at("seps")) + " SEPs, " + Phrases.line(stats.at("open")) + " of them open");
        Json first = stats.at("firstResponse");
        lines.add("first response: median " + days(first.at("medianDays")) + ", nine of ten within "
                + days(first.at("p90Days")) + "; "
                + first.at("unanswered").elements().size() + " wait for one");
        lines.add("");
        Grid states = new Grid("STATE", "NOW", "LEFT", "MEDIAN", "P90");
        stats.at("states")
                .elements()
                .forEach(state -> states.row(
                        Phrases.line(state.at("state")),
                        Phrases.line(state.at("now")),
                        Phrases.line(state.at("left")),
                        days(state.at("medianDays")),
                        days(state.at("p90Days"))));
        lines.addAll(states.lines());
        List<Json> months = stats.at("months").elements();
        if (!months.isEmpty()) {
            lines.add("");
            Grid grid = new Grid("MONTH", "SUBMITTED", "SETTLED", "ENDED", "OPEN");
            months.stream()
                    .skip(Math.max(0, months.size() - MONTHS))
                    .forEach(month -> grid.row(
                            Phrases.line(month.at("month")),
                            Phrases.line(month.at("submitted")),
                            Phrases.line(month.at("settled")),
                            Phrases.line(month.at("ended")),
                            Phrases.line(month.at("open"))));
            lines.addAll(grid.lines());
        }
        Grid load = new Grid("WHO", "AS", "OPEN", "SEPS");
        stats.at("load")
                .elements()
                .forEach(each -> load.row(
                        Phrases.line(each.at("who")),
                        Phrases.line(each.at("role")),
                        String.valueOf(each.at("open").elements().size()),
                        Phrases.numbers(each.at("open"))));
        Grid stuck = new Grid("STUCK", "DAYS", "STATUS", "MUST ACT", "TITLE");
        stats.at("stuck")
                .elements()
                .forEach(each -> stuck.row(
                        Phrases.line(each.at("number")),
                        Phrases.line(each.at("days")),
                        Phrases.line(each.at("status")),
                        Phrases.names(each.at("mustAct")),
                        Phrases.line(each.at("title"))));
        append(load, stats.at("load"), lines);
        append(stuck, stats.at("stuck"), lines);
        return lines;
    }

    private static void append(Grid grid, Json list, List<String> lines) {
        if (!list.elements().isEmpty()) {
            lines.add("");
            lines.addAll(grid.lines());
        }
    }

    private static String days(Json days) {
        return days.type() == Json.Type.NUMBER ? Phrases.line(days) + " d" : Phrases.NONE;
    }
}
