package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Reminders;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Clock.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Says what clocks are due, and does it. */
record Sweeping(Scene scene) {
    /**
     * What is due now. Where a move is, it alone: reminders to people about a state that is about to be left would only
     * confuse them, and the new state has clocks of its own.
     */
    List<Due> due() {
        List<Clocks.Running> running = new Clocks(scene).running();
        for (Clocks.Running clock : running) {
            for (Step step : elapsed(clock)) {
                if (step instanceof Step.Go go && possible(go)) {
                    return List.of(new Due.Go(clock.clock().name(), go.after(), go.to(), saying(clock, go)));
                }
            }
        }
        List<Due> due = new ArrayList<>();
        Set<Party> reminded = new HashSet<>();
        for (Clocks.Running clock : running) {
            for (Step step : elapsed(clock)) {
                switch (step) {
                    case Step.Ping ping -> ping(clock, ping, reminded).ifPresent(due::add);
                    case Step.Escalate escalate -> {
                        Optional<Due> escalation = escalation(clock, escalate);
                        if (escalation.isPresent()) {
                            due.add(escalation.get());
                            people(new Group(escalate.role())).forEach(reminded::add);
                        }
                    }
                    case Step.Go _ -> {
                        // looked at above
                    }
                }
            }
        }
        return due;
    }

    /** Does what is due, if it is. */
    Decision<Event> carry(Due wanted) {
        return due().stream()
                .filter(wanted::sameAs)
                .findFirst()
                .map(this::carryOut)
                .orElseGet(() -> RefusalCode.NOT_DUE.refused(
                        "The clock '" + wanted.clock() + "' does not say so now; ask again what is due."));
    }

    private Decision<Event> carryOut(Due due) {
        Actor system = Actor.system();
        return switch (due) {
            case Due.Ping ping ->
                Decision.accepted(List.of(
                        new Event.Pinged(scene.now(), system, ping.clock(), ping.after(), ping.whom(), ping.text())));
            case Due.Escalation escalation ->
                Decision.accepted(List.of(new Event.Escalated(
                        scene.now(),
                        system,
                        escalation.clock(),
                        escalation.after(),
                        escalation.role(),
                        escalation.text())));
            case Due.Go go -> new Moving(scene, system).to(go.to(), List.of());
        };
    }

    /** The steps whose time has come, the latest first: a later reminder makes an earlier one pointless. */
    private List<Step> elapsed(Clocks.Running clock) {
        return clock.clock().steps().reversed().stream()
                .filter(step -> !clock.when(step).isAfter(scene.now()))
                .toList();
    }

    private boolean possible(Step.Go go) {
        return new Moving(scene, Actor.system()).to(go.to(), List.of()) instanceof Decision.Accepted<Event>;
    }

    private Optional<Due> escalation(Clocks.Running clock, Step.Escalate step) {
        boolean done = scene.standing().reminders().escalations().stream()
                .anyMatch(earlier -> earlier.clock().equals(clock.clock().name())
                        && earlier.after().equals(step.after())
                        && earlier.role().equals(step.role())
                        && !earlier.at().isBefore(clock.start()));
        return done
                ? Optional.empty()
                : Optional.of(new Due.Escalation(
                        clock.clock().name(),
                        step.after(),
                        step.role(),
                        told(clock, step, step.role(), new Turns(scene).turn())));
    }

    private Optional<Due> ping(Clocks.Running clock, Step.Ping step, Set<Party> reminded) {
        Turns.Turn turn = new Clocks(scene).pinged(step);
        List<Holding> holdings = turn.holdings();
        List<Party> whom = holdings.stream()
                .flatMap(holding -> people(holding.who()))
                .distinct()
                .filter(party -> ready(party, holdings, clock, step))
                .filter(reminded::add)
                .toList();
        return whom.isEmpty()
                ? Optional.empty()
                : Optional.of(new Due.Ping(
                        clock.clock().name(),
                        step.after(),
                        whom,
                        told(clock, step, holdings.getFirst().as(), new Turns(scene).turn())));
    }

    /** A group's members where they are known: it is people that are left alone for a while, not groups. */
    private Stream<Party> people(Party party) {
        return switch (party) {
            case Person person -> Stream.of(person);
            case Group group -> scene.members(group.role()).map(List::<Party>copyOf).orElse(List.of(group)).stream();
        };
    }

    /** Whether a party has not had this reminder, and none at all for a while, by name or as one of a group. */
    private boolean ready(Party party, List<Holding> holdings, Clocks.Running clock, Step.Ping step) {
        Reminders reminders = scene.standing().reminders();
        Instant quiet = scene.now().minus(scene.process().coolDown());
        if (escalatedSince(quiet, party)) {
            return false;
        }
        return Stream.concat(Stream.of(party), holdings.stream().map(Holding::who))
                .filter(known -> known.equals(party) || known instanceof Group)
                .noneMatch(known -> reminders.done(clock.clock().name(), step.after(), known, clock.start())
                        || reminders
                                .lastTo(known)
                                .filter(last -> last.isAfter(quiet))
                                .isPresent());
    }

    /** Whoever was just told that it is theirs too need not be reminded of the same. */
    private boolean escalatedSince(Instant instant, Party party) {
        return scene.standing().reminders().escalations().stream()
                .filter(escalated -> escalated.at().isAfter(instant))
                .anyMatch(escalated -> people(new Group(escalated.role())).anyMatch(party::equals));
    }

    private String told(Clocks.Running clock, Step step, String role, Turns.Turn turn) {
        Optional<Expectation> expected = new Clocks(scene).expectedAfter(clock, step);
        String nextStep = new Guiding(scene).nextStepAs(role, turn, expected);
        return step.says().isPresent() ? saying(clock, step) + " " + nextStep : nextStep;
    }

    private String saying(Clocks.Running clock, Step step) {
        Optional<Expectation> expected = new Clocks(scene).expectedAfter(clock, step);
        return step.says().map(text -> new Words(scene).fill(text, expected)).orElse("");
    }
}
