package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the reminders, escalations and automatic moves of all SEPs that are due at a given time, without executing
 * them. Stateless.
 */
public final class SepClockActionFinder {
    private SepClockActionFinder() {}

    /**
     * Returns all due actions, by SEP number and then in the order of the process. A reminder to some people of a group
     * goes to those with the smallest load: the SEPs that they sponsor, and the reminders that they get in this sweep.
     *
     * @param seps all SEPs that are open or have a clock
     * @param externalFacts looks up the facts about a SEP that are not in its history; called only for SEPs in a state
     *     that has a clock rule
     */
    public static List<SepClockAction> findDue(
            Collection<Sep> seps,
            LifecycleEngine lifecycleEngine,
            Function<? super Sep, ExternalFacts> externalFacts,
            Instant now) {
        // Most SEPs of an old project have ended. They must not slow down a sweep.
        Set<String> clocked = lifecycleEngine.processDefinition().clockRules().stream()
                .map(ClockRule::states)
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        Map<Person, Integer> load = countSponsored(seps, lifecycleEngine.processDefinition());
        List<SepClockAction> sepClockActions = new ArrayList<>();
        seps.stream()
                .filter(sep -> clocked.contains(sep.state()))
                .sorted(Comparator.comparingInt(Sep::number))
                .forEach(sep -> {
                    for (ClockAction clockAction : lifecycleEngine.dueActions(
                            sep.history(), externalFacts.apply(sep), now, person -> load.getOrDefault(person, 0))) {
                        sepClockActions.add(new SepClockAction(sep.number(), sep.title(), clockAction));
                        if (clockAction instanceof ClockAction.Reminder reminder) {
                            reminder.recipients().stream()
                                    .filter(Person.class::isInstance)
                                    .forEach(person -> load.merge((Person) person, 1, Integer::sum));
                        }
                    }
                });
        return List.copyOf(sepClockActions);
    }

    /** Counts the open SEPs in which each person holds a role that only eligible people can take, such as sponsor. */
    private static Map<Person, Integer> countSponsored(Collection<Sep> seps, ProcessDefinition processDefinition) {
        List<String> roles = processDefinition.roles().values().stream()
                .filter(role -> role instanceof Role.ProposalRole proposalRole
                        && proposalRole.eligibleRole().isPresent())
                .map(Role::name)
                .toList();
        Map<Person, Integer> sponsored = new HashMap<>();
        seps.stream()
                .filter(sep -> Optional.ofNullable(processDefinition.states().get(sep.state()))
                        .filter(StateDefinition::isOpen)
                        .isPresent())
                .flatMap(sep -> roles.stream()
                        .flatMap(role -> sep.snapshot().holders().people(role).stream())
                        .distinct())
                .forEach(person -> sponsored.merge(person, 1, Integer::sum));
        return sponsored;
    }
}
