package dev.gavel.sep.stats;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Clock;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.State;
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
 * How long proposals wait for a first answer. Whose counts, and in which states one is owed, is what the process's clock
 * says that an answer stops; without such a clock it is anybody's but the proposers', in any open state. Not thread-safe.
 */
final class Answers {
    private final Optional<String> role;
    private final Set<String> owing;
    private final Instant now;
    private final Spans waits = new Spans();
    private final List<Waiting> unanswered = new ArrayList<>();

    private record Waiting(int number, Instant since) {}

    Answers(Process process, Instant now) {
        Optional<Clock> clock = process.clocks().stream()
                .filter(each -> each.unansweredBy().isPresent())
                .findFirst();
        this.role = clock.flatMap(Clock::unansweredBy);
        this.owing = clock.map(Clock::in).orElseGet(() -> open(process));
        this.now = now;
    }

    private static Set<String> open(Process process) {
        Set<String> open = new HashSet<>();
        process.states().values().stream().filter(State::open).map(State::name).forEach(open::add);
        return open;
    }

    void add(Sep sep) {
        Instant begun = sep.standing().submitted();
        Set<Person> proposers = new HashSet<>();
        Optional<Instant> left = Optional.empty();
        for (Event event : sep.history().events()) {
            switch (event) {
                case Event.Submitted first -> {
                    // What came in from elsewhere, further on, was answered where nobody here saw it.
                    if (!owing.contains(first.state())) {
                        return;
                    }
                    proposers.addAll(first.people());
                }
                case Event.Transferred given
                when given.role().equals(sep.standing().proposerRole()) -> proposers.add(given.to());
                default -> {}
            }
            if (answers(event, proposers)) {
                waits.ended(Duration.between(begun, event.at()).toSeconds());
                return;
            }
            if (left.isEmpty() && event instanceof Event.Moved moved && !owing.contains(moved.to())) {
                left = Optional.of(moved.at());
            }
        }
        waits.running(Duration.between(begun, left.orElse(now)).toSeconds());
        if (owing.contains(sep.state())) {
            unanswered.add(new Waiting(sep.number(), begun));
        }
    }

    private boolean answers(Event event, Set<Person> proposers) {
        return !event.by().isSystem()
                && !proposers.contains(event.by().person())
                && role.map(event.by().roles()::contains).orElse(true);
    }

    Stats.FirstResponse firstResponse() {
        return new Stats.FirstResponse(
                role,
                waits.span(),
                unanswered.stream()
                        .sorted(Comparator.comparing(Waiting::since).thenComparingInt(Waiting::number))
                        .map(Waiting::number)
                        .toList());
    }
}
