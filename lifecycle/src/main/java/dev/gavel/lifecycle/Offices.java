package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.yaml.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Decides who takes, gives up or hands on a role. */
record Offices(Scene scene, Actor by) {
    Decision<Event> take(String role, List<Evidence> given) {
        return withHeld(role, held -> {
            List<Move> moves = scene.process().movesFrom(scene.standing().state()).stream()
                    .filter(move -> move.takes().filter(role::equals).isPresent())
                    .toList();
            if (moves.size() == 1) {
                return new Moving(scene, by).make(moves.getFirst(), given);
            }
            if (moves.size() > 1) {
                return RefusalCode.ROLE.refused("Here '" + role + "' is taken by a move: move it to "
                        + Words.choice(moves.stream().map(Move::to).toList()) + ".");
            }
            return takeVacant(held);
        });
    }

    private Decision<Event> takeVacant(Role.Held held) {
        String role = held.name();
        if (!scene.state().open()) {
            return RefusalCode.ROLE.refused(
                    "It is " + scene.standing().state() + ": nobody must act, so there is nothing to take.");
        }
        if (held.from().isEmpty()) {
            return RefusalCode.ROLE.refused("'" + role + "' comes with making a proposal; "
                    + new Words(scene).roles(List.of(role)) + " may hand it on.");
        }
        String from = held.from().get();
        if (!scene.has(by, from)) {
            return Decision.refused(notAllowed("take '" + role + "'", List.of(from)));
        }
        if (scene.standing().holders().holds(by.person(), role)) {
            return RefusalCode.ROLE.refused("You are " + held.title() + " already.");
        }
        List<Person> leaving =
                held.several() ? List.of() : scene.standing().holders().people(role);
        // Whoever may hold it no longer does not stand in the way of those who may.
        if (leaving.stream().anyMatch(holder -> scene.fit(Actor.of(holder.login()), role))) {
            return RefusalCode.ROLE.refused(
                    new Words(scene).roles(List.of(role)) + " holds it; it can be taken once they step down.");
        }
        List<Event> events = new ArrayList<>();
        leaving.forEach(holder -> events.add(new Event.RoleLeft(scene.now(), by, role, holder)));
        events.add(new Event.RoleTaken(scene.now(), by, role, by.person()));
        return Decision.accepted(events);
    }

    Decision<Event> stepDown(String role) {
        return withHeld(role, held -> {
            if (!scene.standing().holders().holds(by.person(), role)) {
                return Decision.refused(notAllowed("step down as " + held.title(), List.of(role)));
            }
            if (held.proposer() && scene.standing().proposers().size() == 1) {
                return RefusalCode.ROLE.refused(
                        "You are the only one whose proposal it is: transfer it to somebody first.");
            }
            return Decision.accepted(List.of(new Event.RoleLeft(scene.now(), by, role, by.person())));
        });
    }

    Decision<Event> transfer(String role, Person to, boolean stays) {
        return withHeld(role, held -> {
            if (!held.transferable()) {
                return RefusalCode.ROLE.refused("'" + role + "' cannot be handed on.");
            }
            if (!scene.standing().holders().holds(by.person(), role)) {
                return Decision.refused(notAllowed("hand on '" + role + "'", List.of(role)));
            }
            if (to.equals(by.person())) {
                return RefusalCode.ROLE.refused("It is yours already.");
            }
            if (stays && !held.several()) {
                return RefusalCode.ROLE.refused("Only one can be " + held.title() + " at a time.");
            }
            Optional<String> unfit = held.from()
                    .filter(from -> !scene.members(from)
                            .filter(members -> members.contains(to))
                            .isPresent());
            if (unfit.isPresent()) {
                return RefusalCode.ROLE.refused(
                        to.login() + " is not known as " + scene.process().title(unfit.get()) + ".");
            }
            return Decision.accepted(List.of(new Event.Transferred(scene.now(), by, role, by.person(), to, stays)));
        });
    }

    private Refusal notAllowed(String what, List<String> roles) {
        return Talking.notAllowed(scene, what, roles);
    }

    private Decision<Event> withHeld(String role, Function<Role.Held, Decision<Event>> decide) {
        return scene.process().held(role).map(decide).orElseGet(() -> {
            List<String> held = scene.process().roles().keySet().stream()
                    .filter(name -> scene.process().held(name).isPresent())
                    .toList();
            return RefusalCode.UNKNOWN_ROLE.refused("No role called '" + role + "' is held in a proposal; "
                    + Nearest.to(role, held)
                            .map(near -> "did you mean '" + near + "'?")
                            .orElseGet(() -> "only " + Words.choice(held) + "."));
        });
    }
}
