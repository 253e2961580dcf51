package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.sep.chart.Chart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** Builds the data of the charts that show the statistics of a process. Stateless. */
public final class StatsChartBuilder {
    private static final int MONTHS = 18;
    private static final int ROWS = 15;

    private StatsChartBuilder() {}

    /** Returns every chart that has data, by its id. */
    public static Map<String, Chart> build(Stats stats, ProposalTerms terms) {
        Map<String, Chart> charts = new LinkedHashMap<>();
        charts.put("now", now(stats, terms));
        charts.put("months", months(stats));
        charts.put("open", open(stats, terms));
        charts.put("times", times(stats));
        charts.put("load", load(stats, terms));
        charts.put("stuck", stuck(stats, terms));
        charts.values().removeIf(StatsChartBuilder::empty);
        return charts;
    }

    private static boolean empty(Chart chart) {
        return switch (chart) {
            case Chart.Bars bars -> bars.rows().isEmpty();
            case Chart.Columns columns -> columns.labels().isEmpty();
            case Chart.Steps steps -> steps.labels().isEmpty();
        };
    }

    private static Chart now(Stats stats, ProposalTerms terms) {
        List<Chart.Row> rows = stats.states().stream()
                .filter(state -> state.durations().running() > 0)
                .map(state -> new Chart.Row(
                        state.state(),
                        List.of((double) state.durations().running()),
                        Integer.toString(state.durations().running())))
                .toList();
        return new Chart.Bars(terms.plural() + " by state", describe(rows), List.of(terms.plural()), rows);
    }

    private static Chart months(Stats stats) {
        List<Stats.Month> months = last(stats);
        return new Chart.Columns(
                "Throughput per month",
                "Total of these months: "
                        + months.stream().mapToInt(Stats.Month::submitted).sum() + " submitted, "
                        + months.stream().mapToInt(Stats.Month::settled).sum() + " settled, "
                        + months.stream().mapToInt(Stats.Month::ended).sum() + " ended.",
                labels(months),
                List.of(
                        series("submitted", months, Stats.Month::submitted),
                        series("settled (no one must act)", months, Stats.Month::settled),
                        series("ended (no further move)", months, Stats.Month::ended)));
    }

    private static Chart open(Stats stats, ProposalTerms terms) {
        List<Stats.Month> months = last(stats);
        return new Chart.Steps(
                "Open " + terms.plural() + " at the end of each month",
                months.isEmpty()
                        ? ""
                        : months.getFirst().open() + " at the end of "
                                + months.getFirst().month() + ", " + stats.open() + " now.",
                labels(months),
                List.of(series("open", months, Stats.Month::open)));
    }

    private static Chart times(Stats stats) {
        List<Chart.Row> rows = new ArrayList<>();
        for (Stats.StateTime state : stats.states()) {
            DurationStats durationStats = state.durations();
            if (durationStats.ended() > 0) {
                // If fewer than half have ended, the median is unknown but longer than the longest duration so far.
                Duration median =
                        durationStats.median().or(durationStats::longest).orElse(Duration.ZERO);
                Duration p90 = durationStats.p90().or(durationStats::longest).orElse(median);
                rows.add(new Chart.Row(
                        state.state(),
                        List.of(days(median), Math.max(0, days(p90) - days(median))),
                        StatsTextFormatter.formatQuantile(durationStats.median(), durationStats)));
            }
        }
        return new Chart.Bars("Time in each state", describe(rows), List.of("median", "90th percentile"), rows);
    }

    private static Chart load(Stats stats, ProposalTerms terms) {
        List<Chart.Row> rows = stats.loads().stream()
                .filter(load -> !load.open().isEmpty())
                .limit(ROWS)
                .map(load -> new Chart.Row(
                        load.who(),
                        List.of((double) load.open().size()),
                        Integer.toString(load.open().size())))
                .toList();
        String roles = stats.loads().stream().map(Stats.Load::role).distinct().collect(Collectors.joining(" or "));
        return new Chart.Bars(
                "Open " + terms.plural() + " per person (as " + roles + "; authors are not counted)",
                describe(rows),
                List.of("open"),
                rows);
    }

    private static Chart stuck(Stats stats, ProposalTerms terms) {
        List<Chart.Row> rows = stats.stuck().stream()
                .limit(ROWS)
                .map(stuck -> {
                    Duration held = Duration.between(stuck.since(), stats.at());
                    return new Chart.Row(
                            terms.numberLabel(stuck.number()),
                            List.of(Math.max(0, days(held))),
                            StatsTextFormatter.formatDuration(held));
                })
                .toList();
        return new Chart.Bars("Waiting longest", describe(rows), List.of("days"), rows);
    }

    private static List<Stats.Month> last(Stats stats) {
        List<Stats.Month> all = stats.months();
        return all.subList(Math.max(0, all.size() - MONTHS), all.size());
    }

    private static List<String> labels(List<Stats.Month> months) {
        return months.stream().map(month -> month.month().toString()).toList();
    }

    private static Chart.Series series(String name, List<Stats.Month> months, ToIntFunction<Stats.Month> count) {
        return new Chart.Series(
                name,
                months.stream().map(month -> (double) count.applyAsInt(month)).toList());
    }

    /** Describes the chart as text, which is short because the chart has few rows. */
    private static String describe(List<Chart.Row> rows) {
        return String.join(
                ", ", rows.stream().map(row -> row.label() + " " + row.note()).toList());
    }

    private static double days(Duration span) {
        return span.toSeconds() / 86_400.0;
    }
}
