package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.State;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What happened in each month. Not thread-safe. */
final class Months {
    /** A document dated in the year 1 is not to make a table of twenty thousand rows. */
    private static final int MOST = 120;

    private final Process process;
    private final YearMonth last;
    private final Map<YearMonth, Counts> counts = new TreeMap<>();

    private static final class Counts {
        private int submitted;
        private int settled;
        private int ended;
        private int opened;
        private final Map<String, Integer> entered = new LinkedHashMap<>();
    }

    Months(Process process, Instant now) {
        this.process = process;
        this.last = month(now);
    }

    void submitted(Instant at, String state) {
        Counts month = at(at);
        month.submitted++;
        arrived(month, state);
        month.opened += is(state, State.Kind.OPEN) ? 1 : 0;
    }

    void moved(Instant at, String from, String to) {
        Counts month = at(at);
        arrived(month, to);
        month.opened += (is(to, State.Kind.OPEN) ? 1 : 0) - (is(from, State.Kind.OPEN) ? 1 : 0);
    }

    private void arrived(Counts month, String state) {
        month.entered.merge(state, 1, Integer::sum);
        month.settled += is(state, State.Kind.SETTLED) ? 1 : 0;
        month.ended += is(state, State.Kind.END) ? 1 : 0;
    }

    /** Every month from the first, those in which nothing happened among them. */
    List<Stats.Month> list() {
        if (counts.isEmpty()) {
            return List.of();
        }
        YearMonth earliest = last.minusMonths(MOST - 1);
        int open = 0;
        Optional<YearMonth> first = Optional.empty();
        for (Map.Entry<YearMonth, Counts> each : counts.entrySet()) {
            if (each.getKey().isBefore(earliest)) {
                open += each.getValue().opened;
                first = Optional.of(earliest);
            } else if (first.isEmpty()) {
                first = Optional.of(each.getKey());
            }
        }
        List<Stats.Month> months = new ArrayList<>();
        for (YearMonth month = first.orElse(last); !month.isAfter(last); month = month.plusMonths(1)) {
            Counts here = counts.getOrDefault(month, new Counts());
            open += here.opened;
            months.add(new Stats.Month(month, here.submitted, here.settled, here.ended, open, here.entered));
        }
        return months;
    }

    /** What a document dates in the future is counted when it became known, which is now at the latest. */
    private Counts at(Instant at) {
        YearMonth month = month(at);
        return counts.computeIfAbsent(month.isAfter(last) ? last : month, _ -> new Counts());
    }

    private boolean is(String state, State.Kind kind) {
        State found = process.states().get(state);
        return found != null && found.kind() == kind;
    }

    private static YearMonth month(Instant at) {
        return YearMonth.from(at.atZone(ZoneOffset.UTC));
    }
}
