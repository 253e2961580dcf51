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
 * Finds the clock actions of all SEPs that are due at a given time, without executing them. Pure: nothing is done by
 * it. Stateless.
 */
public final class SepClockActionFinder {
    private SepClockActionFinder() {}

    /**
     * All that is due, by the proposals' numbers and then in the order of the process.
     *
     * @param externalFacts what is so around a proposal; asked only of those in whose state a clock runs
     */
    public static List<SepClockAction> findDue(
            Collection<Sep> seps,
            LifecycleEngine lifecycleEngine,
            Function<? super Sep, ExternalFacts> externalFacts,
            Instant now) {
        // Most proposals of an old project are finished: they must not make a sweep longer.
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
