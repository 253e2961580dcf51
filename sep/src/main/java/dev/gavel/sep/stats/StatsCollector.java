package dev.gavel.sep.stats;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.history.RoleHolders;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance;
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

/**
 * Computes the statistics of a process from SEPs added one at a time, without keeping them in memory. Not thread-safe.
 */
final class StatsCollector {
    /** The maximum number of stuck SEPs in the statistics, about as many as a person reviews. */
    private static final int MAX_STUCK = 50;

    private static final Comparator<Stuck> LONGEST_FIRST =
            Comparator.comparing(Stuck::since).thenComparingInt(Stuck::number);

    private final ProcessDefinition processDefinition;
    private final LifecycleEngine lifecycleEngine;
    private final Function<Sep, ExternalFacts> externalFacts;
    private final Instant now;
    private final Map<String, DurationCollector> stateDurations = new LinkedHashMap<>();
    private final MonthlySepCounter monthlySepCounter;
    private final FirstResponseTimeCollector firstResponses;
    private final Map<RoleHolder, List<Integer>> held = new HashMap<>();
    private final Map<RoleHolder, Integer> others = new HashMap<>();
    private final PriorityQueue<Stuck> stuck = new PriorityQueue<>(LONGEST_FIRST.reversed());
    private int all;
    private int open;

    private record RoleHolder(String role, Person person) {}

    StatsCollector(ProcessDefinition processDefinition, Function<Sep, ExternalFacts> externalFacts, Instant now) {
        this.processDefinition = processDefinition;
        this.lifecycleEngine = new LifecycleEngine(processDefinition);
        this.externalFacts = externalFacts;
        this.now = now;
        this.monthlySepCounter = new MonthlySepCounter(processDefinition, now);
        this.firstResponses = new FirstResponseTimeCollector(processDefinition, now);
        processDefinition.states().keySet().forEach(state -> stateDurations.put(state, new DurationCollector()));
    }

    void add(Sep sep) {
        LifecycleSnapshot lifecycleSnapshot = sep.snapshot();
        boolean waits = isOpen(lifecycleSnapshot.state());
        all++;
        open += waits ? 1 : 0;
        addStateDurations(sep);
        firstResponses.add(sep);
        addLoad(sep.number(), lifecycleSnapshot.holders(), waits);
        if (waits) {
            addIfStuck(sep);
        }
    }

    private void addStateDurations(Sep sep) {
        String state = "";
        Instant since = now;
        for (LifecycleEvent event : sep.history().events()) {
            switch (event) {
                case LifecycleEvent.Submitted submitted -> {
                    state = submitted.state();
                    since = submitted.at();
                    // A SEP that was imported by a person who is not its author was submitted elsewhere, at an unknown
                    // time.
                    if (submitted.people().contains(submitted.by().person())) {
                        monthlySepCounter.addSubmission(submitted.at(), submitted.state());
                    }
                }
                case LifecycleEvent.Moved moved -> {
                    durationsIn(state)
                            .addEnded(Duration.between(since, moved.at()).toSeconds());
                    monthlySepCounter.addMove(moved.at(), state, moved.to());
                    state = moved.to();
                    since = moved.at();
                }
                default -> {}
            }
        }
        durationsIn(state).addRunning(Duration.between(since, now).toSeconds());
    }

    private void addLoad(int number, RoleHolders holders, boolean waits) {
        for (Role role : processDefinition.roles().values()) {
            if (role instanceof Role.ProposalRole proposalRole
                    && proposalRole.eligibleRole().isPresent()) {
                for (Person person : holders.people(proposalRole.name())) {
                    RoleHolder holder = new RoleHolder(proposalRole.name(), person);
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

    private void addIfStuck(Sep sep) {
        List<LifecycleGuidance.Assignment> mustAct =
                lifecycleEngine.requiredActors(sep.history(), externalFacts.apply(sep), now);
        mustAct.stream()
                .map(LifecycleGuidance.Assignment::since)
                .min(Comparator.naturalOrder())
                .filter(since -> since.isBefore(now.minus(processDefinition.reminderCoolDown())))
                .ifPresent(since -> stuck.add(new Stuck(
                        sep.number(),
                        sep.title(),
                        sep.state(),
                        mustAct.stream()
                                .map(assignment ->
                                        displayName(assignment.party().toString()))
                                .toList(),
                        since)));
        if (stuck.size() > MAX_STUCK) {
            stuck.poll();
        }
    }

    Stats stats() {
        return new Stats(
                now,
                processDefinition.name(),
                all,
                open,
                stateDurations.entrySet().stream()
                        .map(each -> new StateTime(
                                each.getKey(),
                                kind(each.getKey()),
                                each.getValue().summarize()))
                        .toList(),
                monthlySepCounter.list(),
                firstResponses.firstResponse(),
                held.entrySet().stream()
                        .map(each -> new Load(
                                each.getKey().role(),
                                displayName(each.getKey().person().login()),
                                each.getValue().stream().sorted().toList(),
                                others.getOrDefault(each.getKey(), 0)))
                        .sorted(Comparator.comparing(Load::role)
                                .thenComparingInt(load -> -load.open().size())
                                .thenComparingInt(load -> -load.closedCount())
                                .thenComparing(load -> load.who().toLowerCase(Locale.ROOT)))
                        .toList(),
                stuck.stream().sorted(LONGEST_FIRST).toList());
    }

    /** Removes the quotes in which a name that is not a login is stored. */
    private static String displayName(String login) {
        return login.length() > 2 && login.startsWith("\"") && login.endsWith("\"")
                ? login.substring(1, login.length() - 1)
                : login;
    }

    private DurationCollector durationsIn(String state) {
        return stateDurations.computeIfAbsent(state, _ -> new DurationCollector());
    }

    private Optional<StateDefinition.Kind> kind(String state) {
        return Optional.ofNullable(processDefinition.states().get(state)).map(StateDefinition::kind);
    }

    private boolean isOpen(String state) {
        return kind(state).filter(StateDefinition.Kind.OPEN::equals).isPresent();
    }
}
