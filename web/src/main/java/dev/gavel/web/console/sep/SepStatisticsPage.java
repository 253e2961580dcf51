package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.chart.Chart;
import dev.gavel.sep.chart.SvgChartRenderer;
import dev.gavel.sep.stats.DurationStats;
import dev.gavel.sep.stats.Stats;
import dev.gavel.sep.stats.StatsChartBuilder;
import dev.gavel.sep.stats.StatsJsonCodec;
import dev.gavel.sep.stats.StatsTextFormatter;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The page that shows statistics about all SEPs as charts and tables. */
public record SepStatisticsPage(PageLayoutData frame, Stats stats, List<ChartView> charts) {
    private static final int MAX_ROWS = 120;

    public SepStatisticsPage {
        charts = List.copyOf(charts);
    }

    /**
     * A chart.
     *
     * @param svg rendered from escaped texts, so that a page may include it unescaped
     * @param note what the chart leaves out
     */
    public record ChartView(String id, String title, String svg, Optional<String> note, Optional<Table> table) {}

    /**
     * The data of a chart, and more, as a table.
     *
     * @param numeric the index of the first numeric column
     */
    public record Table(List<String> columns, List<Row> rows, int numeric) {
        public Table {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
        }
    }

    /**
     * A row of a table.
     *
     * @param link the path to which the first cell links, if any
     */
    public record Row(List<String> cells, Optional<String> link) {
        public Row {
            cells = cells.stream().map(SafeText::line).toList();
        }
    }

    /** Creates the page from the SEP service's statistics. */
    public static SepStatisticsPage of(PageLayoutData frame, Json json) {
        Stats stats = StatsJsonCodec.decode(json)
                .withNames(id -> json.at("names").at(id).asText().orElse(id));
        List<ChartView> chartViews = new ArrayList<>();
        StatsChartBuilder.build(stats, frame.terms())
                .forEach((name, chart) -> chartViews.add(chartView(name, chart, stats, frame.terms())));
        return new SepStatisticsPage(frame, stats, chartViews);
    }

    private static ChartView chartView(String name, Chart chart, Stats stats, ProposalTerms terms) {
        String id = "chart-" + name;
        return new ChartView(
                id,
                chart.title(),
                SvgChartRenderer.inline(chart, id),
                name.equals("months") || name.equals("open") ? importedNote(stats, terms) : Optional.empty(),
                switch (name) {
                    case "now", "times" -> Optional.of(times(stats));
                    case "months", "open" -> Optional.of(months(stats));
                    case "load" -> Optional.of(loads(stats));
                    case "stuck" -> Optional.of(stuck(stats, terms));
                    default -> Optional.empty();
                });
    }

    /** Imported SEPs started elsewhere at an unknown time, and therefore belong to no month. */
    private static Optional<String> importedNote(Stats stats, ProposalTerms terms) {
        int begun = stats.months().stream().mapToInt(Stats.Month::submitted).sum();
        return begun < stats.total()
                ? Optional.of(EnglishTextFormatter.count(
                                stats.total() - begun,
                                terms.text("imported {proposal} is"),
                                terms.text("imported {proposals} are"))
                        + " not included, because the submission date is unknown.")
                : Optional.empty();
    }

    /** The statistics in a sentence or two. */
    public String summary() {
        Stats.FirstResponse first = stats.firstResponse();
        String whole = frame.terms().count(stats.total()) + ", " + stats.open() + " open.";
        StringBuilder words = new StringBuilder(whole);
        first.durations()
                .median()
                .ifPresent(half -> words.append(" First response: median ")
                        .append(StatsTextFormatter.formatDuration(half))
                        .append(first.durations()
                                .p90()
                                .map(most -> ", 90th percentile " + StatsTextFormatter.formatDuration(most))
                                .orElse(""))
                        .append('.'));
        if (!first.unanswered().isEmpty()) {
            words.append(' ')
                    .append(EnglishTextFormatter.count(
                            first.unanswered().size(),
                            frame.terms().name() + " is",
                            frame.terms().plural() + " are"))
                    .append(" waiting for a first response.");
        }
        return words.toString();
    }

    private static Table times(Stats stats) {
        List<Row> rows = new ArrayList<>();
        for (Stats.StateTime state : stats.states()) {
            DurationStats durationStats = state.durations();
            if (durationStats.ended() + durationStats.running() > 0) {
                rows.add(row(
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
        return new Table(List.of("State", "Now", "Left", "Median", "90th percentile", "Longest"), rows, 1);
    }

    private static Table months(Stats stats) {
        List<Row> rows = stats.months().reversed().stream()
                .limit(MAX_ROWS)
                .map(month -> row(
                        month.month().toString(),
                        Integer.toString(month.submitted()),
                        Integer.toString(month.settled()),
                        Integer.toString(month.ended()),
                        Integer.toString(month.open())))
                .toList();
        return new Table(List.of("Month", "Submitted", "Settled", "Ended", "Open at month end"), rows, 1);
    }

    private static Table loads(Stats stats) {
        List<Row> rows = stats.loads().stream()
                .limit(MAX_ROWS)
                .map(load -> row(
                        load.who(),
                        load.role(),
                        Integer.toString(load.open().size()),
                        Integer.toString(load.closedCount())))
                .toList();
        return new Table(List.of("Person", "Role", "Open", "Closed"), rows, 2);
    }

    private static Table stuck(Stats stats, ProposalTerms terms) {
        List<Row> rows = stats.stuck().stream()
                .limit(MAX_ROWS)
                .map(stuck -> new Row(
                        List.of(
                                terms.numberLabel(stuck.number()) + ": "
                                        + SafeText.brief(stuck.title(), SepCard.MAX_TITLE_LENGTH),
                                stuck.state(),
                                String.join(", ", stuck.mustAct()),
                                StatsTextFormatter.formatDuration(Duration.between(stuck.since(), stats.at()))),
                        Optional.of(SepCard.path(stuck.number()))))
                .toList();
        return new Table(List.of(terms.name(), "State", "Waiting for", "Waiting time"), rows, 3);
    }

    private static Row row(String... cells) {
        return new Row(List.of(cells), Optional.empty());
    }
}
