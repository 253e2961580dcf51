package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateDefinition;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts SEPs for each month: those submitted, those that entered each state, those that ended, and those open when the
 * month ended. Not thread-safe.
 */
final class MonthlySepCounter {
    /**
     * Limits the number of months, so that a document dated in the year 1 does not produce a table of twenty thousand
     * rows.
     */
    private static final int MAX_MONTHS = 120;

    private final ProcessDefinition processDefinition;
    private final YearMonth last;
    private final Map<YearMonth, MonthCounts> counts = new TreeMap<>();

    private static final class MonthCounts {
        private int submitted;
        private int settled;
        private int ended;
        private int opened;
        private final Map<String, Integer> entered = new LinkedHashMap<>();
    }

    MonthlySepCounter(ProcessDefinition processDefinition, Instant now) {
        this.processDefinition = processDefinition;
        this.last = month(now);
    }

    void addSubmission(Instant at, String state) {
        MonthCounts month = at(at);
        month.submitted++;
        addArrival(month, state);
        month.opened += hasKind(state, StateDefinition.Kind.OPEN) ? 1 : 0;
    }

    void addMove(Instant at, String from, String to) {
        MonthCounts month = at(at);
        addArrival(month, to);
        month.opened +=
                (hasKind(to, StateDefinition.Kind.OPEN) ? 1 : 0) - (hasKind(from, StateDefinition.Kind.OPEN) ? 1 : 0);
    }

    private void addArrival(MonthCounts month, String state) {
        month.entered.merge(state, 1, Integer::sum);
        month.settled += hasKind(state, StateDefinition.Kind.SETTLED) ? 1 : 0;
        month.ended += hasKind(state, StateDefinition.Kind.END) ? 1 : 0;
    }

    /** Returns every month from the first one with an event, including months without events. */
    List<Stats.Month> list() {
        if (counts.isEmpty()) {
            return List.of();
        }
        YearMonth earliest = last.minusMonths(MAX_MONTHS - 1);
        int open = 0;
        Optional<YearMonth> first = Optional.empty();
        for (Map.Entry<YearMonth, MonthCounts> each : counts.entrySet()) {
            if (each.getKey().isBefore(earliest)) {
                open += each.getValue().opened;
                first = Optional.of(earliest);
            } else if (first.isEmpty()) {
                first = Optional.of(each.getKey());
            }
        }
        List<Stats.Month> months = new ArrayList<>();
        for (YearMonth month = first.orElse(last); !month.isAfter(last); month = month.plusMonths(1)) {
            MonthCounts here = counts.getOrDefault(month, new MonthCounts());
            open += here.opened;
            months.add(new Stats.Month(month, here.submitted, here.settled, here.ended, open, here.entered));
        }
        return months;
    }

    /**
     * Counts an event that a document dates in the future in the current month, the latest in which it can have become
     * known.
     */
    private MonthCounts at(Instant at) {
        YearMonth month = month(at);
        return counts.computeIfAbsent(month.isAfter(last) ? last : month, _ -> new MonthCounts());
    }

    private boolean hasKind(String state, StateDefinition.Kind kind) {
        StateDefinition found = processDefinition.states().get(state);
        return found != null && found.kind() == kind;
    }

    private static YearMonth month(Instant at) {
        return YearMonth.from(at.atZone(ZoneOffset.UTC));
    }
}
