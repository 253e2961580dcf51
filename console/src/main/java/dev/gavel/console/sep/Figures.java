package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.chart.Chart;
import dev.gavel.sep.chart.Svg;
import dev.gavel.sep.stats.Span;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsCharts;
import dev.gavel.sep.stats.StatsJson;
import dev.gavel.sep.stats.StatsText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the whole process goes: charts, and the same in tables. */
public record Figures(Frame frame, Stats stats, List<Plot> plots) {
    private static final int MOST_ROWS = 120;

    public Figures {
        plots = List.copyOf(plots);
    }

    /**
     * A chart.
     *
     * @param svg drawn by us, of escaped words: it may be put into a page as it is
     * @param note what it leaves out
     */
    public record Plot(String id, String title, String svg, Optional<String> note, Optional<Table> table) {}

    /**
     * What a chart shows, and more, as a table.
     *
     * @param numeric the first column of numbers
     */
    public record Table(List<String> columns, List<Row> rows, int numeric) {
        public Table {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
        }
    }

    /**
     * A row.
     *
     * @param link where its first cell leads, if anywhere
     */
    public record Row(List<String> cells, Optional<String> link) {
        public Row {
            cells = cells.stream().map(SafeText::line).toList();
        }
    }

    /** What the desk says. */
    public static Figures of(Frame frame, Json json) {
        Stats stats = StatsJson.read(json);
        List<Plot> plots = new ArrayList<>();
        StatsCharts.of(stats).forEach((name, chart) -> plots.add(plot(name, chart, stats)));
        return new Figures(frame, stats, plots);
    }

    private static Plot plot(String name, Chart chart, Stats stats) {
        String id = "chart-" + name;
        return new Plot(
                id,
                chart.title(),
                Svg.inline(chart, id),
                name.equals("months") || name.equals("open") ? imported(stats) : Optional.empty(),
                switch (name) {
                    case "now", "times" -> Optional.of(times(stats));
                    case "months", "open" -> Optional.of(months(stats));
                    case "load" -> Optional.of(loads(stats));
                    case "stuck" -> Optional.of(stuck(stats));
                    default -> Optional.empty();
                });
    }

    /** Those that were under way elsewhere, for nobody knows how long, are in no month. */
    private static Optional<String> imported(Stats stats) {
        int begun = stats.months().stream().mapToInt(Stats.Month::submitted).sum();
        return begun < stats.all()
                ? Optional.of(Phrase.count(stats.all() - begun, "imported SEP is", "imported SEPs are")
                        + " in no month: nobody knows when they began.")
                : Optional.empty();
    }

    /** How it goes, in a sentence or two. */
    public String summary() {
        Stats.FirstResponse first = stats.firstResponse();
        String whole = Phrase.count(stats.all(), "SEP", "SEPs") + ", " + stats.open() + " open.";
        StringBuilder words = new StringBuilder(whole);
        first.span()
                .median()
                .ifPresent(half -> words.append(" Half get a first answer within ")
                        .append(StatsText.span(half))
                        .append(first.span()
                                .p90()
                                .map(most -> ", nine of ten within " + StatsText.span(most))
                                .orElse(""))
                        .append('.'));
        if (!first.unanswered().isEmpty()) {
            words.append(' ')
                    .append(first.unanswered().size())
                    .append(first.unanswered().size() == 1 ? " waits" : " wait")
                    .append(" for a first answer now.");
        }
        return words.toString();
    }

    private static Table times(Stats stats) {
        List<Row> rows = new ArrayList<>();
        for (Stats.StateTime state : stats.states()) {
            Span span = state.span();
            if (span.ended() + span.running() > 0) {
                rows.add(row(
                        state.state(),
                        Integer.toString(span.running()),
                        Integer.toString(span.ended()),
                        span.ended() == 0 ? "–" : StatsText.share(span.median(), span),
                        span.ended() == 0 ? "–" : StatsText.share(span.p90(), span),
                        StatsText.span(span.longest())));
            }
        }
        return new Table(List.of("State", "Now", "Left", "Half left within", "Nine of ten within", "Longest"), rows, 1);
    }

    private static Table months(Stats stats) {
        List<Row> rows = stats.months().reversed().stream()
                .limit(MOST_ROWS)
                .map(month -> row(
                        month.month().toString(),
                        Integer.toString(month.submitted()),
                        Integer.toString(month.settled()),
                        Integer.toString(month.ended()),
                        Integer.toString(month.open())))
                .toList();
        return new Table(List.of("Month", "Submitted", "Settled", "Ended", "Open after"), rows, 1);
    }

    private static Table loads(Stats stats) {
        List<Row> rows = stats.loads().stream()
                .limit(MOST_ROWS)
                .map(load -> row(
                        load.who(), load.role(), Integer.toString(load.open().size()), Integer.toString(load.others())))
                .toList();
        return new Table(List.of("Who", "As", "Open", "Settled"), rows, 2);
    }

    private static Table stuck(Stats stats) {
        List<Row> rows = stats.stuck().stream()
                .limit(MOST_ROWS)
                .map(stuck -> new Row(
                        List.of(
                                "SEP-" + stuck.number() + ": " + SafeText.brief(stuck.title(), SepCard.LONGEST_TITLE),
                                stuck.state(),
                                String.join(", ", stuck.mustAct()),
                                StatsText.span(Duration.between(stuck.since(), stats.at()))),
                        Optional.of(SepCard.path(stuck.number()))))
                .toList();
        return new Table(List.of("SEP", "State", "Held by", "For"), rows, 3);
    }

    private static Row row(String... cells) {
        return new Row(List.of(cells), Optional.empty());
    }
}
