package dev.gavel.sep.sweep;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.process.Clock;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds all that is due at a time. Pure: nothing is done by it. Stateless. */
public final class Sweep {
    private Sweep() {}

    /**
     * All that is due, by the proposals' numbers and then in the order of the process.
     *
     * @param circumstances what is so around a proposal; asked only of those in whose state a clock runs
     */
    public static List<Errand> due(
            Collection<Sep> seps,
            Lifecycle lifecycle,
            Function<? super Sep, Circumstances> circumstances,
            Instant now) {
        // Most proposals of an old project are finished: they must not make a sweep longer.
        Set<String> clocked = lifecycle.process().clocks().stream()
                .map(Clock::in)
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        List<Errand> errands = new ArrayList<>();
        seps.stream()
                .filter(sep -> clocked.contains(sep.state()))
                .sorted(Comparator.comparingInt(Sep::number))
                .forEach(sep -> {
                    for (Due due : lifecycle.due(sep.history(), circumstances.apply(sep), now)) {
                        errands.add(new Errand(sep.number(), sep.title(), due));
                    }
                });
        return List.copyOf(errands);
    }
}
