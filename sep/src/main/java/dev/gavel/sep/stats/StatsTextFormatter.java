package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats the statistics of a process as plain-text tables. Stateless. */
public final class StatsTextFormatter {
    private static final int MONTHS = 12;
    private static final int MAX_STUCK = 10;
    private static final int TITLE_WIDTH = 44;

    private StatsTextFormatter() {}

    /** Returns all statistics, each table under its heading. */
    public static String format(Stats stats, ProposalTerms terms) {
        StringBuilder text = new StringBuilder();
        text.append(terms.count(stats.total()))
                .append(", ")
                .append(stats.open())
                .append(" open; process ")
                .append(stats.process())
                .append(", ")
                .append(stats.at().atZone(ZoneOffset.UTC).toLocalDate())
                .append('\n');
        states(text, stats);
        months(text, stats);
        firstResponse(text, stats.firstResponse());
        loads(text, stats, terms);
        stuck(text, stats, terms);
        return text.toString();
    }

    /** Returns "12 d" or "5 h"; an empty text if the duration is unknown. */
    public static String formatDuration(Optional<Duration> span) {
        return span.map(StatsTextFormatter::formatDuration).orElse("");
    }

    /** Returns "12 d", "5 h" or "20 min". */
    public static String formatDuration(Duration span) {
        return span.toDays() > 0
                ? span.toDays() + " d"
                : span.toHours() > 0 ? span.toHours() + " h" : Math.max(0, span.toMinutes()) + " min";
    }

    /** Returns a quantile, or "over" and the longest duration if the quantile is unknown. */
    public static String formatQuantile(Optional<Duration> share, DurationStats durationStats) {
        return share.map(StatsTextFormatter::formatDuration)
                .orElseGet(() -> durationStats
                        .longest()
                        .map(longest -> "over " + formatDuration(longest))
                        .orElse("–"));
    }

    private static void states(StringBuilder text, Stats stats) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.StateTime state : stats.states()) {
            DurationStats durationStats = state.durations();
            if (durationStats.ended() + durationStats.running() > 0) {
                boolean stays = durationStats.ended() == 0;
                rows.add(List.of(
                        state.state(),
                        Integer.toString(durationStats.running()),
                        Integer.toString(durationStats.ended()),
                        stays ? "–" : formatQuantile(durationStats.median(), durationStats),
                        stays ? "–" : formatQuantile(durationStats.p90(), durationStats),
                        formatDuration(durationStats.longest())));
            }
        }
        table(text, "Time in each state", List.of("state", "now", "left", "median", "p90", "longest"), rows);
    }

    private static void months(StringBuilder text, Stats stats) {
        List<Stats.Month> all = stats.months();
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Month month : all.subList(Math.max(0, all.size() - MONTHS), all.size())) {
            rows.add(List.of(
                    month.month().toString(),
                    Integer.toString(month.submitted()),
                    Integer.toString(month.settled()),
                    Integer.toString(month.ended()),
                    Integer.toString(month.open())));
        }
        table(text, "By month", List.of("month", "submitted", "settled", "ended", "open"), rows);
    }

    private static void firstResponse(StringBuilder text, Stats.FirstResponse first) {
        DurationStats durationStats = first.durations();
        if (durationStats.ended() + durationStats.running() == 0) {
            return;
        }
        text.append("\nFirst response\n  median ")
                .append(formatQuantile(durationStats.median(), durationStats))
                .append(", p90 ")
                .append(formatQuantile(durationStats.p90(), durationStats))
                .append("; ")
                .append(durationStats.ended())
                .append(" answered, ")
                .append(first.unanswered().size())
                .append(" waiting for a response\n");
    }

    private static void loads(StringBuilder text, Stats stats, ProposalTerms terms) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Load load : stats.loads()) {
            rows.add(List.of(
                    load.who(),
                    load.role(),
                    Integer.toString(load.open().size()),
                    Integer.toString(load.closedCount()),
                    String.join(
                                    " ",
                                    load.open().stream()
                                            .limit(8)
                                            .map(String::valueOf)
                                            .toList())
                            + (load.open().size() > 8 ? " …" : "")));
        }
        table(text, "Load", List.of("person", "role", "open", "closed", "open " + terms.plural()), rows);
    }

    private static void stuck(StringBuilder text, Stats stats, ProposalTerms terms) {
        List<List<String>> rows = new ArrayList<>();
        for (Stats.Stuck stuck :
                stats.stuck().subList(0, Math.min(MAX_STUCK, stats.stuck().size()))) {
            rows.add(List.of(
                    Integer.toString(stuck.number()),
                    cut(stuck.title()),
                    stuck.state(),
                    String.join(", ", stuck.mustAct()),
                    formatDuration(Duration.between(stuck.since(), stats.at()))));
        }
        table(text, "Waiting longest", List.of(terms.name(), "title", "state", "waiting for", "time"), rows);
    }

    private static void table(StringBuilder text, String heading, List<String> columns, List<List<String>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        int[] widths = new int[columns.size()];
        List<List<String>> all = new ArrayList<>();
        all.add(columns);
        // Titles and logins are untrusted: escape them so that they cannot control the terminal.
        rows.forEach(row -> all.add(row.stream().map(SafeText::line).toList()));
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        text.append('\n').append(heading).append('\n');
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - length(row.get(i)) + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static String cut(String title) {
        return length(title) <= TITLE_WIDTH
                ? title
                : title.substring(0, title.offsetByCodePoints(0, TITLE_WIDTH - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
