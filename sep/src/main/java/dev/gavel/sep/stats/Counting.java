package dev.gavel.sep.stats;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Holders;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.Sep;
import dev.gavel.sep.stats.Stats.Load;
import dev.gavel.sep.stats.Stats.StateTime;
import dev.gavel.sep.stats.Stats.Stuck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;

/** Counts proposals one after the other, keeping none of them. Not thread-safe. */
final class Counting {
    /** As many as somebody might go through. */
    private static final int STUCK = 50;

    private static final Comparator<Stuck> LONGEST_FIRST =
            Comparator.comparing(Stuck::since).thenComparingInt(Stuck::number);

    private final Process process;
    private final Lifecycle lifecycle;
    private final Function<Sep, Circumstances> circumstances;
    private final Instant now;
    private final Map<String, Spans> stays = new LinkedHashMap<>();
    private final Months months;
    private final Answers answers;
    private final Map<Holder, List<Integer>> held = new HashMap<>();
    private final Map<Holder, Integer> others = new HashMap<>();
    private final PriorityQueue<Stuck> stuck = new PriorityQueue<>(LONGEST_FIRST.reversed());
    private int all;
    private int open;

    private record Holder(String role, Person person) {}

    Counting(Process process, Function<Sep, Circumstances> circumstances, Instant now) {
        this.process = process;
        this.lifecycle = new Lifecycle(process);
        this.circumstances = circumstances;
        this.now = now;
        this.months = new Months(process, now);
        this.answers = new Answers(process, now);
        process.states().keySet().forEach(state -> stays.put(state, new Spans()));
    }

    void add(Sep sep) {
        Standing standing = sep.standing();
        boolean waits = isOpen(standing.state());
        all++;
        open += waits ? 1 : 0;
        stays(sep);
        answers.add(sep);
        loads(sep.number(), standing.holders(), waits);
        if (waits) {
            stuck(sep);
        }
    }

    private void stays(Sep sep) {
        String state = "";
        Instant since = now;
        for (Event event : sep.history().events()) {
            switch (event) {
                case Event.Submitted begun -> {
                    state = begun.state();
                    since = begun.at();
                    // What was brought in by others than its authors was under way elsewhere, for nobody knows how
                    // long.
                    if (begun.people().contains(begun.by().person())) {
                        months.submitted(begun.at(), begun.state());
                    }
                }
                case Event.Moved moved -> {
                    stay(state).ended(Duration.between(since, moved.at()).toSeconds());
                    months.moved(moved.at(), state, moved.to());
                    state = moved.to();
                    since = moved.at();
                }
                default -> {}
            }
        }
        stay(state).running(Duration.between(since, now).toSeconds());
    }

    private void loads(int number, Holders holders, boolean waits) {
        for (Role role : process.roles().values()) {
            if (role instanceof Role.Held taken && taken.from().isPresent()) {
                for (Person person : holders.people(taken.name())) {
                    Holder holder = new Holder(taken.name(), person);
                    List<Integer> numbers = held.computeIfAbsent(holder, _ -> new ArrayList<>());
                    if (waits) {
                        numbers.add(number);
                    } else {
                        others.merge(holder, 1, Integer::sum);
                    }
                }
            }
        }
    }

    private void stuck(Sep sep) {
        List<Guidance.Holding> mustAct = lifecycle.mustAct(sep.history(), circumstances.apply(sep), now);
        mustAct.stream()
                .map(Guidance.Holding::since)
                .min(Comparator.naturalOrder())
                .filter(since -> since.isBefore(now.minus(process.coolDown())))
                .ifPresent(since -> stuck.add(new Stuck(
                        sep.number(),
                        sep.title(),
                        sep.state(),
                        mustAct.stream()
                                .map(holding -> shown(holding.who().toString()))
                                .toList(),
                        since)));
        if (stuck.size() > STUCK) {
            stuck.poll();
        }
    }

    Stats stats() {
        return new Stats(
                now,
                process.name(),
                all,
                open,
                stays.entrySet().stream()
                        .map(each -> new StateTime(
                                each.getKey(),
                                kind(each.getKey()),
                                each.getValue().span()))
                        .toList(),
                months.list(),
                answers.firstResponse(),
                held.entrySet().stream()
                        .map(each -> new Load(
                                each.getKey().role(),
                                shown(each.getKey().person().login()),
                                each.getValue().stream().sorted().toList(),
                                others.getOrDefault(each.getKey(), 0)))
                        .sorted(Comparator.comparing(Load::role)
                                .thenComparingInt(load -> -load.open().size())
                                .thenComparingInt(load -> -load.others())
                                .thenComparing(load -> load.who().toLowerCase(Locale.ROOT)))
                        .toList(),
                stuck.stream().sorted(LONGEST_FIRST).toList());
    }

    /** A name that is no login is kept in quotes; people see it without. */
    private static String shown(String login) {
        return login.length() > 2 && login.startsWith("\"") && login.endsWith("\"")
                ? login.substring(1, login.length() - 1)
                : login;
    }

    private Spans stay(String state) {
        return stays.computeIfAbsent(state, _ -> new Spans());
    }

    private Optional<State.Kind> kind(String state) {
        return Optional.ofNullable(process.states().get(state)).map(State::kind);
    }

    private boolean isOpen(String state) {
        return kind(state).filter(State.Kind.OPEN::equals).isPresent();
    }
}
