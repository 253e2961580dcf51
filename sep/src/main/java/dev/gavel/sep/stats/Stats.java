package dev.gavel.sep.stats;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProcessState;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Statistics of a process: times in each state, monthly counts, first response, load and stuck SEPs. Immutable.
 *
 * @param at when this was so
 * @param total how many proposals there are
 * @param open how many of them wait for somebody
 * @param states how long proposals stay in each state, every stay counted; in the order of the process
 * @param months what happened in each month of the last ten years, from the first in which anything did
 * @param firstResponse how long a proposal waits for an answer of somebody who is not of its proposers
 * @param loads who holds what, those who hold most first
 * @param stuck the open proposals that somebody has held longest, the longest first
 */
public record Stats(
        Instant at,
        String process,
        int total,
        int open,
        List<StateTime> states,
        List<Month> months,
        FirstResponse firstResponse,
        List<Load> loads,
        List<Stuck> stuck) {
    public Stats {
        states = List.copyOf(states);
        months = List.copyOf(months);
        loads = List.copyOf(loads);
        stuck = List.copyOf(stuck);
    }

    /**
     * How long proposals stay in a state; what is there now is the span's running.
     *
     * @param kind none for a state that the process no longer has
     */
    public record StateTime(String state, Optional<ProcessState.Kind> kind, DurationStats durations) {}

    /**
     * A month, as UTC has it.
     *
     * @param settled how many came to where nobody must act, though a move may be made
     * @param ended how many came to an end
     * @param open how many were open when it was over, or are now
     * @param entered how many came into each state, submissions among them; one that comes twice counts twice
     */
    public record Month(
            YearMonth month, int submitted, int settled, int ended, int open, Map<String, Integer> entered) {
        public Month {
            entered = Collections.unmodifiableMap(new LinkedHashMap<>(entered));
        }
    }

    /**
     * How long the first answer takes.
     *
     * @param role whose answer counts; none where the process does not say, and anybody's does
     * @param durations the running are those unanswered when they left the states that it is asked in, or now
     * @param unanswered the numbers of those that wait for one now, the longest waiting first
     */
    public record FirstResponse(Optional<String> role, DurationStats durations, List<Integer> unanswered) {
        public FirstResponse {
            unanswered = List.copyOf(unanswered);
        }
    }

    /**
     * What somebody has taken on.
     *
     * @param open the numbers of the open proposals in which they hold the role
     * @param closedCount how many more there are in which nobody must act any more
     */
    public record Load(String role, String who, List<Integer> open, int closedCount) {
        public Load {
            open = List.copyOf(open);
        }
    }

    /**
     * A proposal that waits.
     *
     * @param mustAct who must act: logins, and roles where it is anybody's of a role
     * @param since since when the first of them has been holding it
     */
    public record Stuck(int number, String title, String state, List<String> mustAct, Instant since) {
        public Stuck {
            mustAct = List.copyOf(mustAct);
        }
    }

    /** The figures of all these proposals, each looked at once. */
    public static Stats of(
            Iterable<Sep> all,
            ProcessDefinition processDefinition,
            Function<Sep, ExternalFacts> externalFacts,
            Instant now) {
        StatsCollector statsCollector = new StatsCollector(processDefinition, externalFacts, now);
        all.forEach(statsCollector::add);
        return statsCollector.stats();
    }
}
