package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Clock;
import dev.gavel.lifecycle.process.Clock.Start;
import dev.gavel.lifecycle.process.Clock.Step;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the clocks of a scene: which run, since when, and what they say comes next. */
record Clocks(Scene scene) {
    /** A clock that runs, and since when. */
    record Running(Clock clock, Instant start) {
        Instant when(Step step) {
            return start.plus(step.after());
        }
    }

    /** The clocks that run now, in the order of the process. None does while the decision is on hold. */
    List<Running> running() {
        List<Running> running = new ArrayList<>();
        for (Clock clock : scene.process().clocks()) {
            start(clock).ifPresent(start -> running.add(new Running(clock, start)));
        }
        return running;
    }

    /** Whether an escalation still stands: its clock has not started anew since. */
    boolean inForce(Event.Escalated escalated) {
        return scene.process().clocks().stream()
                .filter(clock -> clock.name().equals(escalated.clock()))
                .map(this::start)
                .flatMap(Optional::stream)
                .anyMatch(start -> !escalated.at().isBefore(start));
    }

    /** What comes next, by when; where all is past, what came last. */
    Optional<Expectation> expected() {
        return expected(running());
    }

    /** What comes next on one clock after one of its steps. */
    Optional<Expectation> expectedAfter(Running running, Step step) {
        List<Step> later = running.clock().steps().stream()
                .filter(other -> other.after().compareTo(step.after()) > 0)
                .toList();
        return later.isEmpty()
                ? Optional.empty()
                : expected(List.of(new Running(
                        new Clock(
                                running.clock().name(),
                                running.clock().in(),
                                running.clock().start(),
                                running.clock().unansweredBy(),
                                later),
                        running.start())));
    }

    private Optional<Expectation> expected(List<Running> clocks) {
        record Coming(Step step, Instant when) {}
        List<Coming> all = new ArrayList<>();
        for (Running running : clocks) {
            for (Step step : running.clock().steps()) {
                when(running, step).ifPresent(when -> all.add(new Coming(step, when)));
            }
        }
        Comparator<Coming> byTime = Comparator.comparing(Coming::when);
        return all.stream()
                .filter(coming -> coming.when().isAfter(scene.now()))
                .min(byTime)
                .or(() -> all.stream().max(byTime))
                .map(coming -> new Expectation(coming.when(), then(coming.step())));
    }

    /** When a step happens: for a move also not before its needs are met, and never if somebody must meet them. */
    private Optional<Instant> when(Running running, Step step) {
        Instant when = running.when(step);
        if (!(step instanceof Step.Go go)) {
            return Optional.of(when);
        }
        Optional<Move> move = scene.process().move(scene.standing().state(), go.to());
        if (move.isEmpty()) {
            return Optional.empty();
        }
        Needs needs = new Needs(scene, List.of());
        for (Need need : move.get().needs()) {
            Optional<Instant> met = needs.metByTime(need);
            if (met.isEmpty()) {
                return Optional.empty();
            }
            when = Scene.later(when, met.filter(instant -> instant.isAfter(scene.now())));
        }
        return Optional.of(when);
    }

    private String then(Step step) {
        Words words = new Words(scene);
        Optional<String> says = step.says().map(text -> words.fill(text, Optional.empty()));
        return switch (step) {
            case Step.Ping ping ->
                words.parties(pinged(ping).holdings().stream().map(Holding::who).toList()) + " will be reminded";
            case Step.Go go -> says.orElse("it moves to " + go.to() + " by itself");
            case Step.Escalate escalate ->
                says.orElseGet(() -> words.roles(List.of(escalate.role())) + " must act too");
        };
    }

    /** Those a step reminds. */
    Turns.Turn pinged(Step.Ping ping) {
        Turns turns = new Turns(scene);
        return ping.whom()
                .map(role -> turns.bearers(role, scene.standing().since()))
                .orElseGet(turns::turn);
    }

    private Optional<Instant> start(Clock clock) {
        if (!clock.in().contains(scene.standing().state())
                || scene.standing().voting().hold().isPresent()) {
            return Optional.empty();
        }
        return start(clock.start())
                .map(start -> Scene.later(start, scene.standing().voting().released()))
                .filter(start -> clock.unansweredBy()
                        .flatMap(role -> scene.standing().activity().answered(role))
                        .filter(answer -> answer.isAfter(start))
                        .isEmpty());
    }

    private Optional<Instant> start(Start start) {
        return switch (start) {
            case Start.Submission() -> Optional.of(scene.standing().submitted());
            case Start.Entry() -> Optional.of(scene.standing().since());
            case Start.MustAct() -> lastOf(new Turns(scene).turn());
            case Start.Active(String role) ->
                lastOf(new Turns(scene).bearers(role, scene.standing().since()));
            case Start.Vacant(String role) ->
                scene.vacant(role) ? Optional.of(scene.vacantSince(role)) : Optional.empty();
            case Start.OnDate(String kind) -> scene.date(kind);
        };
    }

    /** When any of those whose turn it is last did anything, no earlier than when it became theirs. */
    private Optional<Instant> lastOf(Turns.Turn turn) {
        return turn.holdings().stream()
                .map(holding -> Scene.later(
                        holding.since(),
                        switch (holding.who()) {
                            case Person person -> scene.standing().activity().of(person);
                            case Group group -> scene.standing().activity().answered(group.role());
                        }))
                .max(Instant::compareTo);
    }
}
