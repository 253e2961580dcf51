package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Clock;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.util.Optional;

/** Proves that a clock asks nothing impossible, and that whoever it calls on is told what to do. */
record ClockSoundness(Process process, Position position, Problems problems) {
    void prove(Clock clock) {
        switch (clock.start()) {
            case Clock.Start.OnDate(String kind) -> Soundness.date(position, kind, process, problems);
            case Clock.Start.Vacant(String role) -> Soundness.held(position, role, process, problems);
            case Clock.Start.Active _, Clock.Start.Submission _, Clock.Start.Entry _, Clock.Start.MustAct _ -> {
                // nothing to look for
            }
        }
        clock.unansweredBy()
                .filter(role -> process.held(role).isPresent())
                .ifPresent(role -> problems.add(
                        position, "'" + role + "' is held in a proposal; an answer comes from those who bring a role"));
        for (String name : process.states().keySet()) {
            if (clock.in().contains(name)) {
                if (process.state(name).end()) {
                    problems.add(position, "'" + name + "' is an end: nothing is due there any more");
                } else {
                    clock.steps().forEach(step -> step(process.state(name), clock, step));
                }
            }
        }
    }

    private void step(State state, Clock clock, Clock.Step step) {
        switch (step) {
            case Clock.Step.Ping ping -> ping.whom().ifPresent(role -> told(state, role, "whom it pings"));
            case Clock.Step.Escalate escalate -> told(state, escalate.role(), "whom it escalates to");
            case Clock.Step.Go go -> go(state, go);
        }
        boolean usesTurn = clock.start() instanceof Clock.Start.MustAct
                || (step instanceof Clock.Step.Ping ping && ping.whom().isEmpty());
        if (usesTurn && !state.open()) {
            problems.add(position, "nobody must act in '" + state.name() + "'");
        }
    }

    private void told(State state, String role, String why) {
        if (!state.guidance().containsKey(role)) {
            problems.add(position, "'" + state.name() + "' has no guidance for '" + role + "', " + why);
        }
    }

    private void go(State state, Clock.Step.Go go) {
        Optional<Move> move = process.move(state.name(), go.to());
        if (move.isEmpty()) {
            problems.add(
                    position, "it moves to '" + go.to() + "', but no move leads there from '" + state.name() + "'");
        } else if (!move.get().who().contains(Role.SYSTEM)) {
            problems.add(position, "it moves from '" + state.name() + "' to '" + go.to() + "', which 'system' may not");
        }
    }
}
