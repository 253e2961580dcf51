package dev.gavel.sep.board;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A proposal on the board, with what anybody may know of it. Immutable. */
record Entry(Sep sep, Circumstances circumstances, Guidance guidance) {
    /** Whoever reads the board: nobody knows who that is, and no login looks like it. */
    private static final String READER = "(a reader)";

    static Entry of(Sep sep, BoardInput input) {
        Circumstances circumstances = input.circumstances().apply(sep);
        Guidance guidance =
                new Lifecycle(input.process()).guidance(sep.history(), Actor.of(READER), circumstances, input.now());
        return new Entry(sep, circumstances, guidance);
    }

    int number() {
        return sep.number();
    }

    String title() {
        return sep.title().isBlank() ? "(no title)" : sep.title();
    }

    /** Since when whoever has held it longest has been holding it. */
    Optional<Instant> heldSince() {
        return guidance.mustAct().stream().map(Guidance.Holding::since).min(Comparator.naturalOrder());
    }

    /** Those who must act: logins, and what people call one of a role. */
    List<String> mustAct(Process process) {
        return guidance.mustAct().stream()
                .map(holding ->
                        holding.who() instanceof Group group ? process.title(group.role()) : called(holding.who()))
                .toList();
    }

    String type(Process process) {
        return Optional.ofNullable(sep.standing().attributes().get("type"))
                .or(() -> Optional.ofNullable(process.attributes().get("type")).flatMap(known -> known.otherwise()))
                .orElse("");
    }

    List<String> authors() {
        return sep.standing().proposers().stream().map(Person::login).toList();
    }

    /** What everybody would be told to do next, by the role they have; what anyone is told is not said again. */
    Map<String, String> nextSteps(BoardInput input) {
        Map<String, String> steps = new LinkedHashMap<>();
        for (Role role : input.process().roles().values()) {
            Optional<Actor> actor = role instanceof Role.Held held
                    ? sep.standing().holders().people(held.name()).stream()
                            .findFirst()
                            .map(person -> new Actor(person, List.of()))
                    : Optional.of(Actor.of(READER, role.name()));
            actor.map(reader -> new Lifecycle(input.process())
                            .guidance(sep.history(), reader, circumstances, input.now())
                            .nextStep())
                    .filter(step -> !step.equals(guidance.nextStep()))
                    .ifPresent(step -> steps.put(role.title(), step));
        }
        return steps;
    }

    /** A person's login, or the word for everybody of a role. */
    static String called(Party party) {
        return party.toString();
    }
}
