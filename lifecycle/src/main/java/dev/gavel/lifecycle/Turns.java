package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Attachments;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Holders;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Works out whose turn it is. */
record Turns(Scene scene) {
    /**
     * A role's turn, and those who have it.
     *
     * @param vacant the held role whose place they take because nobody holds it
     */
    record Turn(List<Holding> holdings, Optional<Role.Held> vacant) {}

    /** Whose turn it is by the state alone; nobody's where the state is not open. */
    Turn turn() {
        Instant since = scene.standing().since();
        for (String role : scene.state().staffed()) {
            if (scene.vacant(role)) {
                return bearers(role, since);
            }
            // Whoever's turn it is could not go on before the role was filled.
            since = Scene.later(
                    since,
                    scene.standing().holders().of(role).stream()
                            .map(Holders.Holder::since)
                            .min(Instant::compareTo));
        }
        for (State.Turn turn : scene.state().turns()) {
            Optional<Instant> passed = passed(turn);
            if (passed.isEmpty()) {
                return bearers(turn.role(), since);
            }
            since = Scene.later(since, passed);
        }
        return new Turn(List.of(), Optional.empty());
    }

    /** Those who have a role; where nobody holds it, those it is taken from. */
    Turn bearers(String role, Instant since) {
        Optional<Role.Held> held = scene.process().held(role);
        if (held.isEmpty()) {
            return new Turn(List.of(new Holding(new Group(role), role, since)), Optional.empty());
        }
        if (scene.vacant(role)) {
            String from = held.get().from().orElse(role);
            Instant vacant = Scene.later(since, Optional.of(scene.vacantSince(role)));
            return new Turn(List.of(new Holding(new Group(from), from, vacant)), held);
        }
        return new Turn(
                scene.standing().holders().of(role).stream()
                        .map(holder ->
                                new Holding(holder.person(), role, Scene.later(since, Optional.of(holder.since()))))
                        .toList(),
                Optional.empty());
    }

    /** Everybody who must act: whose turn it is, those of them who were asked by name, and whom it was escalated to. */
    List<Holding> mustAct() {
        List<Holding> all = new ArrayList<>(turn().holdings());
        for (Holding holding : turn().holdings()) {
            for (Event.Asked asked : scene.standing().activity().asked()) {
                if (holding.who() instanceof Group group && member(asked.whom(), group)) {
                    add(
                            all,
                            new Holding(
                                    asked.whom(), holding.as(), Scene.later(holding.since(), Optional.of(asked.at()))));
                }
            }
        }
        Clocks clocks = new Clocks(scene);
        for (Event.Escalated escalated : scene.standing().reminders().escalations()) {
            if (clocks.inForce(escalated)) {
                add(all, new Holding(new Group(escalated.role()), escalated.role(), escalated.at()));
            }
        }
        return all;
    }

    /** Others whose answer is needed: the state's, and people asked who have not answered. */
    List<Party> waitingOn() {
        if (!scene.state().open()) {
            return List.of();
        }
        Set<Party> all = new LinkedHashSet<>();
        for (String role : scene.state().waits()) {
            if (!scene.vacant(role)) {
                all.addAll(scene.bearers(role));
            }
        }
        scene.standing().activity().asked().forEach(asked -> all.add(asked.whom()));
        mustAct().forEach(holding -> all.remove(holding.who()));
        return List.copyOf(all);
    }

    /** Whether a reader is one who must act. */
    boolean concerns(Holding holding, Actor reader) {
        return switch (holding.who()) {
            case Person person -> person.equals(reader.person());
            case Group group -> scene.has(reader, group.role());
        };
    }

    /** The roles that have had their turn in this state. */
    Set<String> done() {
        Set<String> roles = new LinkedHashSet<>();
        for (State.Turn turn : scene.state().turns()) {
            if (passed(turn).isEmpty()) {
                break;
            }
            roles.add(turn.role());
        }
        return roles;
    }

    /** When all that ends a turn was there; empty while it is not. */
    private Optional<Instant> passed(State.Turn turn) {
        if (turn.until().isEmpty()) {
            return Optional.empty();
        }
        Instant last = Instant.MIN;
        for (String name : turn.until()) {
            Optional<Attachments.Given> given = scene.evidence(scene.process().kind(name));
            if (given.isEmpty()) {
                return Optional.empty();
            }
            last = Scene.later(last, given.map(Attachments.Given::at));
        }
        return Optional.of(last);
    }

    private boolean member(Person person, Group group) {
        return scene.members(group.role())
                .filter(members -> members.contains(person))
                .isPresent();
    }

    private static void add(List<Holding> all, Holding more) {
        if (all.stream().noneMatch(holding -> holding.who().equals(more.who()))) {
            all.add(more);
        }
    }
}
