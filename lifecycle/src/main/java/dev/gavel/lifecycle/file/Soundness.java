package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Clock;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Position;
import dev.gavel.yaml.Problems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Proves that a process whose parts are all there holds together: nobody gets stuck and nobody is left untold. */
record Soundness(Process process, Names names, Problems problems) {
    void prove(MoveSection.Placed start, List<MoveSection.Placed> moves, List<ClockSection.Placed> clocks, Fields top) {
        states();
        heldRoles();
        move(start);
        moves.forEach(this::move);
        for (Node.Entry vote : top.entries("votes")) {
            VoteRule rule = process.votes().get(vote.key().text());
            if (rule != null) {
                vote(vote.key(), rule);
            }
        }
        clocks.forEach(placed -> new ClockSoundness(process, placed.position(), problems).prove(placed.clock()));
    }

    private void states() {
        Set<String> reachable = reachable();
        for (State state : process.states().values()) {
            Position position = names.position(Names.Sort.STATE, state.name());
            if (!reachable.contains(state.name())) {
                problems.add(position, "no way leads to '" + state.name() + "'");
            }
            if (state.open() && process.movesFrom(state.name()).isEmpty()) {
                problems.add(
                        position,
                        "no move leads on from '" + state.name() + "': add one, or make it 'is: settled' or 'is: end'");
            }
            for (String role : state.staffed()) {
                if (process.held(role).flatMap(Role.Held::from).isEmpty()) {
                    problems.add(position, "'" + role + "' is not a role that can be vacant");
                }
            }
            for (State.Turn turn : state.turns()) {
                told(position, state, turn.role(), "who must act");
            }
        }
    }

    private Set<String> reachable() {
        Set<String> reached = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(List.of(process.start().to()));
        while (!next.isEmpty()) {
            String state = next.pop();
            if (reached.add(state)) {
                process.movesFrom(state).forEach(move -> next.push(move.to()));
            }
        }
        return reached;
    }

    /** Whoever must act is told what to do; so are those whose move it is while the role is vacant. */
    private void told(Position position, State state, String role, String why) {
        if (!state.guidance().containsKey(role)) {
            problems.add(position, "'" + state.name() + "' has no guidance for '" + role + "', " + why);
        }
    }

    private void heldRoles() {
        for (Role role : process.roles().values()) {
            if (!(role instanceof Role.Held held) || held.proposer()) {
                continue;
            }
            Position position = names.position(Names.Sort.ROLE, held.name());
            String from = held.from().orElseThrow();
            if (process.held(from).isPresent()) {
                problems.add(
                        position,
                        "'" + held.name() + "' is taken from '" + from
                                + "', which is itself held in a proposal and may be vacant too");
            }
            if (calledOn(held.name()) && !held.vacant().containsKey(from)) {
                problems.add(
                        position, "say with 'vacant' what '" + from + "' should do while nobody is " + held.title());
            }
        }
    }

    /** Whether a state or a clock calls on whoever holds a role. */
    private boolean calledOn(String role) {
        return process.states().values().stream()
                        .anyMatch(state -> state.staffed().contains(role)
                                || state.turns().stream()
                                        .anyMatch(turn -> turn.role().equals(role)))
                || process.clocks().stream()
                        .flatMap(clock -> clock.steps().stream())
                        .anyMatch(step -> step instanceof Clock.Step.Ping ping
                                && ping.whom().filter(role::equals).isPresent());
    }

    private void move(MoveSection.Placed placed) {
        Move move = placed.move();
        move.takes().ifPresent(role -> takes(placed.position(), move, role));
        for (String role : move.drops()) {
            if (process.held(role).isEmpty()) {
                problems.add(placed.position(), "'" + role + "' is not held in a proposal, so it cannot be dropped");
            } else if (process.proposer().name().equals(role)) {
                problems.add(placed.position(), "'" + role + "' cannot be dropped: a proposal is always somebody's");
            }
        }
        move.needs().forEach(need -> need(placed.position(), move, need));
        move.advises().forEach(need -> need(placed.position(), move, need));
    }

    private void takes(Position position, Move move, String role) {
        Optional<Role.Held> held = process.held(role);
        if (held.isEmpty() || held.get().from().isEmpty()) {
            problems.add(position, "'" + role + "' is not a role that can be taken");
            return;
        }
        String from = held.get().from().get();
        for (String who : move.who()) {
            if (!process.brought(List.of(who)).contains(from)) {
                problems.add(
                        position,
                        "'" + who + "' may make this move but is no '" + from + "' and cannot take '" + role + "'");
            }
        }
    }

    private void need(Position position, Move move, Need need) {
        switch (need) {
            case Need.Given given -> {
                if (process.kind(given.kind()).form() == EvidenceKind.Form.TALLY) {
                    for (String from : move.from()) {
                        if (!process.votes().containsKey(from)) {
                            problems.add(
                                    position,
                                    "'" + given.kind() + "' is a tally, but there is no vote in '" + from + "'");
                        }
                    }
                }
            }
            case Need.Reached reached -> date(position, reached.kind(), process, problems);
            case Need.Vacant vacant -> held(position, vacant.role(), process, problems);
            case Need.Idle idle -> held(position, idle.role(), process, problems);
            case Need.Any any -> any.choices().forEach(choice -> need(position, move, choice));
            case Need.When when -> need(position, move, when.need());
            case Need.Said said -> need(position, move, said.need());
            case Need.Here here -> {
                if (process.kind(here.kind()).form() == EvidenceKind.Form.TALLY) {
                    problems.add(
                            position,
                            "'" + here.kind() + "' is a tally, which is of its state anyway; no '"
                                    + (here.withMove() ? "with" : "here") + "'");
                }
            }
            case Need.Fact _ -> {
                // the caller's
            }
        }
    }

    private void vote(Node.Scalar state, VoteRule rule) {
        if (process.held(rule.who()).isPresent()) {
            problems.add(
                    state.position(),
                    "'" + rule.who() + "' is held in a proposal; a vote is among those who bring a role");
        }
        for (String to : rule.decides()) {
            if (process.move(state.text(), to).isEmpty()) {
                problems.add(
                        state.position(),
                        "the vote decides '" + to + "', but no move leads there from '" + state.text() + "'");
            }
        }
    }

    static void date(Position position, String kind, Process process, Problems problems) {
        if (process.kind(kind).form() != EvidenceKind.Form.DATE) {
            problems.add(position, "'" + kind + "' is no date");
        }
    }

    static void held(Position position, String role, Process process, Problems problems) {
        if (process.held(role).isEmpty()) {
            problems.add(position, "'" + role + "' is not held in a proposal, so it is never vacant and never idle");
        }
    }
}
