package dev.gavel.sep.stats;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Statistics of the SEPs under a process: time in each state, monthly counts, first response times, SEPs per person,
 * and longest-waiting SEPs. Immutable.
 *
 * @param at the moment of the statistics
 * @param total the number of SEPs
 * @param open the number of SEPs on which a person or role must act
 * @param states the time SEPs stay in each state, every stay counted; in the order of the process
 * @param months the counts of each month of the last ten years, from the first month with an event
 * @param firstResponse the time a SEP waits for a response of a person who is not one of its proposers
 * @param loads the SEPs of each person and role, those with the most SEPs first
 * @param stuck the open SEPs that have waited longest for those who must act, the longest first
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
     * The durations of stays in a state; the stays of SEPs that are in the state now are the running durations.
     *
     * @param kind empty for a state that the process no longer has
     */
    public record StateTime(String state, Optional<StateDefinition.Kind> kind, DurationStats durations) {}

    /**
     * The counts of a month in UTC.
     *
     * @param settled the number of SEPs that reached a state in which no one must act, though a move is still possible
     * @param ended the number of SEPs that reached an end state
     * @param open the number of open SEPs at the end of the month, or now for the current month
     * @param entered the number of SEPs that entered each state, including submissions; a SEP that enters twice counts
     *     twice
     */
    public record Month(
            YearMonth month, int submitted, int settled, int ended, int open, Map<String, Integer> entered) {
        public Month {
            entered = Collections.unmodifiableMap(new LinkedHashMap<>(entered));
        }
    }

    /**
     * The time until the first response.
     *
     * @param role the role whose response counts; empty if the process names none, so that any role's response counts
     * @param durations the running ones are those of SEPs still unanswered when they left the states that await a
     *     response, or now
     * @param unanswered the numbers of the SEPs that wait for a response now, the longest waiting first
     */
    public record FirstResponse(Optional<String> role, DurationStats durations, List<Integer> unanswered) {
        public FirstResponse {
            unanswered = List.copyOf(unanswered);
        }
    }

    /**
     * The SEPs in which a person holds a role.
     *
     * @param open the numbers of the open SEPs in which the person holds the role
     * @param closedCount the number of further SEPs, in which no one must act any more
     */
    public record Load(String role, String who, List<Integer> open, int closedCount) {
        public Load {
            open = List.copyOf(open);
        }
    }

    /**
     * An open SEP that waits for those who must act.
     *
     * @param mustAct those who must act: logins, and role names if any holder of the role may act
     * @param since since when the longest-waiting of them has been assigned
     */
    public record Stuck(int number, String title, String state, List<String> mustAct, Instant since) {
        public Stuck {
            mustAct = List.copyOf(mustAct);
        }
    }

    /** Returns the statistics with people called by their names instead of their ids. */
    public Stats withNames(UnaryOperator<String> name) {
        return new Stats(
                at,
                process,
                total,
                open,
                states,
                months,
                firstResponse,
                loads.stream()
                        .map(load -> new Load(load.role(), name.apply(load.who()), load.open(), load.closedCount()))
                        .toList(),
                stuck.stream()
                        .map(each -> new Stuck(
                                each.number(),
                                each.title(),
                                each.state(),
                                each.mustAct().stream().map(name).toList(),
                                each.since()))
                        .toList());
    }

    /** Computes the statistics in one pass over the SEPs. */
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
