package dev.gavel.sep.board;

import dev.gavel.sep.chart.Chart;
import dev.gavel.sep.chart.MarkupBuilder;
import dev.gavel.sep.chart.SvgChartRenderer;
import dev.gavel.sep.stats.DurationStats;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsChartBuilder;
import dev.gavel.sep.stats.StatsTextFormatter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes the statistics page of the static board: charts, and the same figures as tables. */
record BoardStatsPage(BoardInput input, Stats stats) {
    String html() {
        MarkupBuilder main = new MarkupBuilder();
        main.add("<h1>Statistics</h1>\n<p class=\"lead\">%s %s</p>\n", summary(), input.note());
        main.add("<div class=\"charts\">\n");
        for (Map.Entry<String, Chart> each :
                StatsChartBuilder.build(stats, input.terms()).entrySet()) {
            String id = "chart-" + each.getKey();
            main.add("<section class=\"card\" aria-labelledby=\"%s-h\">\n", id);
            main.add("<h2 id=\"%s-h\">%s</h2>\n", id, each.getValue().title());
            main.raw(SvgChartRenderer.inline(each.getValue(), id)).add("\n");
            table(main, each.getKey());
            main.add("</section>\n");
        }
        main.add(
                "</div>\n<p class=\"muted\">The same statistics as JSON: <a href=\"stats.json\">stats.json</a>.</p>\n");
        return BoardPageFrameWriter.page(input, "Statistics", BoardPageFrameWriter.Tab.STATS, "", main);
    }

    private String summary() {
        Stats.FirstResponse first = stats.firstResponse();
        String whole = input.terms().count(stats.total()) + ", " + stats.open() + " open.";
        if (first.durations().ended() + first.durations().running() == 0) {
            return whole;
        }
        String answered = first.durations().ended() == 0
                ? " No " + input.terms().name() + " has had a first response."
                : " First response: median "
                        + StatsTextFormatter.formatQuantile(first.durations().median(), first.durations())
                        + ", 90th percentile "
                        + StatsTextFormatter.formatQuantile(first.durations().p90(), first.durations()) + ".";
        int waiting = first.unanswered().size();
        return whole + answered + " " + input.terms().count(waiting) + (waiting == 1 ? " is" : " are")
                + " waiting for a first response.";
    }

    private void table(MarkupBuilder main, String which) {
        switch (which) {
            case "months" -> months(main);
            case "times" -> times(main);
            case "load" -> loads(main);
            case "stuck" -> stuck(main);
            default -> {}
        }
    }

    private void months(MarkupBuilder main) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Month month : stats.months().reversed()) {
            rows.add(List.of(
                    month.month().toString(),
                    Integer.toString(month.submitted()),
                    Integer.toString(month.settled()),
                    Integer.toString(month.ended()),
                    Integer.toString(month.open())));
        }
        rows(main, List.of("Month", "Submitted", "Settled", "Ended", "Open at month end"), rows, Set.of());
    }

    private void times(MarkupBuilder main) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.StateTime state : stats.states()) {
            DurationStats durationStats = state.durations();
            if (durationStats.ended() + durationStats.running() > 0) {
                rows.add(List.of(
                        state.state(),
                        Integer.toString(durationStats.running()),
                        Integer.toString(durationStats.ended()),
                        durationStats.ended() == 0
                                ? "–"
                                : StatsTextFormatter.formatQuantile(durationStats.median(), durationStats),
                        durationStats.ended() == 0
                                ? "–"
                                : StatsTextFormatter.formatQuantile(durationStats.p90(), durationStats),
                        StatsTextFormatter.formatDuration(durationStats.longest())));
            }
        }
        rows(main, List.of("State", "Now", "Left", "Median", "90th percentile", "Longest"), rows, Set.of());
    }

    private void loads(MarkupBuilder main) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Load load : stats.loads()) {
            MarkupBuilder numbers = new MarkupBuilder();
            for (int number : load.open()) {
                numbers.add("<a href=\"seps/%s.html\">%s</a> ", number, number);
            }
            rows.add(List.of(
                    load.who(),
                    load.role(),
                    Integer.toString(load.open().size()),
                    Integer.toString(load.closedCount()),
                    numbers.toString().strip()));
        }
        rows(
                main,
                List.of(
                        "Person",
                        "Role",
                        "Open",
                        "Closed",
                        "Open " + input.terms().plural()),
                rows,
                Set.of(4));
    }

    private void stuck(MarkupBuilder main) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Stuck stuck : stats.stuck()) {
            rows.add(List.of(
                    new MarkupBuilder()
                            .add(
                                    "<a href=\"seps/%s.html\">%s</a>",
                                    stuck.number(), input.terms().numberLabel(stuck.number()))
                            .toString(),
                    stuck.title(),
                    stuck.state(),
                    String.join(", ", stuck.mustAct()),
                    StatsTextFormatter.formatDuration(Duration.between(stuck.since(), stats.at()))));
        }
        rows(main, List.of(input.terms().name(), "Title", "State", "Waiting for", "Waiting time"), rows, Set.of(0));
    }

    /**
     * Appends a collapsed table.
     *
     * @param safe the indexes of the columns whose cells are safe HTML already
     */
    private static void rows(MarkupBuilder main, List<String> columns, List<List<String>> rows, Set<Integer> safe) {
        main.add(
                "<details>\n<summary>Show as table</summary>\n<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>");
        columns.forEach(column -> main.add("<th scope=\"col\">%s</th>", column));
        main.add("</tr></thead>\n<tbody>\n");
        for (List<String> row : rows) {
            main.add("<tr>");
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                main.add("<td dir=\"auto\">")
                        .raw(safe.contains(i) ? cell : MarkupBuilder.escape(cell))
                        .add("</td>");
            }
            main.add("</tr>\n");
        }
        main.add("</tbody>\n</table>\n</div>\n</details>\n");
    }
}
