package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
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
     * Returns all due actions, by SEP number and then in the order of the process.
     *
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
        List<SepClockAction> sepClockActions = new ArrayList<>();
        seps.stream()
                .filter(sep -> clocked.contains(sep.state()))
                .sorted(Comparator.comparingInt(Sep::number))
                .forEach(sep -> {
                    for (ClockAction clockAction :
                            lifecycleEngine.dueActions(sep.history(), externalFacts.apply(sep), now)) {
                        sepClockActions.add(new SepClockAction(sep.number(), sep.title(), clockAction));
                    }
                });
        return List.copyOf(sepClockActions);
    }
}
