package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Role;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides what is no move: comments, questions, changes of the text. */
record Talking(Scene scene, Actor by) {
    Decision<Event> comment(String text) {
        if (text.isBlank()) {
            return RefusalCode.MISSING.refused("A comment says something.");
        }
        return allowed("comment", scene.process().permissions().comment(), new Event.Commented(scene.now(), by, text));
    }

    Decision<Event> ask(Person whom, String question) {
        if (whom.equals(by.person())) {
            return RefusalCode.NOT_ALLOWED.refused("Ask somebody else than yourself.");
        }
        return allowed(
                "ask somebody", scene.process().permissions().ask(), new Event.Asked(scene.now(), by, whom, question));
    }

    Decision<Event> edit(Map<String, String> attributes) {
        Optional<Refusal> wrong = settled().or(() -> wrong(attributes)).or(() -> decided(attributes));
        if (wrong.isPresent()) {
            return Decision.refused(wrong.get());
        }
        return allowed(
                "change it",
                scene.process().permissions().edit(),
                new Event.Edited(scene.now(), by, spelled(attributes)));
    }

    /** Why nothing of it can be changed: it is settled, and not for its proposer to take up again. */
    private Optional<Refusal> settled() {
        List<Move> moves = scene.process().movesFrom(scene.standing().state());
        String proposer = scene.process().proposer().name();
        if (scene.state().open()
                || moves.stream()
                        .anyMatch(move ->
                                move.who().contains(proposer) || move.who().contains(Role.ANYONE))) {
            return Optional.empty();
        }
        String only = moves.isEmpty()
                ? ""
                : "; it may only be "
                        + Words.choice(moves.stream().map(Move::to).toList());
        return Optional.of(Refusal.of(
                RefusalCode.SETTLED.word(),
                "It is " + scene.standing().state() + ", and that is settled: nothing of it can be changed any more"
                        + only + "."));
    }

    /** Why an attribute that rules depend on cannot be changed: it is being voted on, or was decided on, as it is. */
    private Optional<Refusal> decided(Map<String, String> attributes) {
        if (!scene.state().open() || scene.process().votes().isEmpty()) {
            return Optional.empty();
        }
        String state = scene.standing().state();
        boolean voting = scene.process().votes().containsKey(state);
        if (!voting && votesAhead(state, new HashSet<>())) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> entry : spelled(attributes).entrySet()) {
            Attribute attribute = scene.process().attributes().get(entry.getKey());
            Optional<String> now = scene.attribute(entry.getKey());
            if (attribute != null && !attribute.values().isEmpty() && !now.equals(Optional.of(entry.getValue()))) {
                return Optional.of(Refusal.of(
                        RefusalCode.SETTLED.word(),
                        "'" + entry.getKey() + "' cannot be changed from " + now.orElse("none") + " to "
                                + entry.getValue() + " while it is " + state + ": "
                                + (voting ? "it is being voted on" : "it was decided on") + " as it is."));
            }
        }
        return Optional.empty();
    }

    /** Whether a state with a vote can be reached through states in which somebody must act. */
    private boolean votesAhead(String state, Set<String> seen) {
        return scene.process().movesFrom(state).stream()
                .map(Move::to)
                .filter(to -> scene.process().state(to).open() && seen.add(to))
                .anyMatch(to -> scene.process().votes().containsKey(to) || votesAhead(to, seen));
    }

    /** Why some attribute cannot be as said. */
    Optional<Refusal> wrong(Map<String, String> attributes) {
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            Attribute attribute = scene.process().attributes().get(entry.getKey());
            if (attribute == null) {
                return Optional.of(Refusal.of(
                        RefusalCode.BAD_ATTRIBUTE.word(), "There is no attribute called '" + entry.getKey() + "'."));
            }
            if (attribute.spelling(entry.getValue()).isEmpty()) {
                return Optional.of(Refusal.of(
                        RefusalCode.BAD_ATTRIBUTE.word(),
                        "'" + entry.getKey() + "' cannot be '" + entry.getValue() + "', only "
                                + Words.choice(attribute.values()) + "."));
            }
        }
        return Optional.empty();
    }

    /** The attributes as the process spells them. */
    Map<String, String> spelled(Map<String, String> attributes) {
        Map<String, String> all = new HashMap<>(attributes);
        all.replaceAll((name, value) -> Optional.ofNullable(
                        scene.process().attributes().get(name))
                .flatMap(attribute -> attribute.spelling(value))
                .orElse(value));
        return all;
    }

    static Refusal notAllowed(Scene scene, String what, List<String> roles) {
        return new Refusal(
                RefusalCode.NOT_ALLOWED.word(),
                "Only " + new Words(scene).roles(roles) + " may " + what + ".",
                roles.stream().flatMap(role -> scene.bearers(role).stream()).toList(),
                List.of());
    }

    private Decision<Event> allowed(String what, List<String> roles, Event event) {
        return scene.hasAny(by, roles)
                ? Decision.accepted(List.of(event))
                : Decision.refused(notAllowed(scene, what, roles));
    }
}
