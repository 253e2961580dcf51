package dev.gavel.sep.stats;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.Sep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Measures how long SEPs wait for the first response from a person other than their proposers. The role and the states
 * in which a response is owed come from the first clock rule of the process that a response stops. If there is no such
 * rule, the role that must act in the first state owes it. If that role is held in a single proposal, a response of any
 * person except the proposers counts, in any open state. Not thread-safe.
 */
final class FirstResponseTimeCollector {
    private final Optional<String> role;
    private final Set<String> awaitingStates;
    private final Instant now;
    private final DurationCollector waits = new DurationCollector();
    private final List<UnansweredSep> unanswered = new ArrayList<>();

    private record UnansweredSep(int number, Instant since) {}

    FirstResponseTimeCollector(ProcessDefinition processDefinition, Instant now) {
        Optional<ClockRule> clockRule = processDefinition.clockRules().stream()
                .filter(each -> each.stopsOnActivityOf().isPresent())
                .findFirst();
        Optional<String> firstTurn = firstTurn(processDefinition);
        this.role = clockRule.flatMap(ClockRule::stopsOnActivityOf).or(() -> firstTurn);
        this.awaitingStates = clockRule
                .map(ClockRule::states)
                .or(() ->
                        firstTurn.map(_ -> Set.of(processDefinition.startMove().to())))
                .orElseGet(() -> openStates(processDefinition));
        this.now = now;
    }

    /** Returns the role that must act in the first state, unless it is held in a single proposal. */
    private static Optional<String> firstTurn(ProcessDefinition processDefinition) {
        return processDefinition.state(processDefinition.startMove().to()).turns().stream()
                .findFirst()
                .map(StateDefinition.Turn::role)
                .filter(role -> processDefinition.findProposalRole(role).isEmpty());
    }

    private static Set<String> openStates(ProcessDefinition processDefinition) {
        Set<String> open = new HashSet<>();
        processDefinition.states().values().stream()
                .filter(StateDefinition::isOpen)
                .map(StateDefinition::name)
                .forEach(open::add);
        return open;
    }

    void add(Sep sep) {
        Instant submittedAt = sep.snapshot().submittedAt();
        Set<Person> proposers = new HashSet<>();
        Optional<Instant> leftAt = Optional.empty();
        for (LifecycleEvent event : sep.history().events()) {
            switch (event) {
                case LifecycleEvent.Submitted first -> {
                    // An imported SEP that starts in a later state was answered outside this ledger.
                    if (!awaitingStates.contains(first.state())) {
                        return;
                    }
                    proposers.addAll(first.people());
                }
                case LifecycleEvent.RoleTransferred given
                when given.role().equals(sep.snapshot().proposerRole()) -> proposers.add(given.to());
                default -> {}
            }
            if (isResponse(event, proposers)) {
                waits.addEnded(Duration.between(submittedAt, event.at()).toSeconds());
                return;
            }
            if (leftAt.isEmpty()
                    && event instanceof LifecycleEvent.Moved moved
                    && !awaitingStates.contains(moved.to())) {
                leftAt = Optional.of(moved.at());
            }
        }
        waits.addRunning(Duration.between(submittedAt, leftAt.orElse(now)).toSeconds());
        if (awaitingStates.contains(sep.state())) {
            unanswered.add(new UnansweredSep(sep.number(), submittedAt));
        }
    }

    private boolean isResponse(LifecycleEvent event, Set<Person> proposers) {
        return !event.by().isSystem()
                && !proposers.contains(event.by().person())
                && role.map(event.by().roles()::contains).orElse(true);
    }

    Stats.FirstResponse firstResponse() {
        return new Stats.FirstResponse(
                role,
                waits.summarize(),
                unanswered.stream()
                        .sorted(Comparator.comparing(UnansweredSep::since).thenComparingInt(UnansweredSep::number))
                        .map(UnansweredSep::number)
                        .toList());
    }
}
