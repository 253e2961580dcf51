package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells a reader how a proposal stands and what to do. */
record Guiding(Scene scene) {
    Guidance guide(Actor reader) {
        Turns turns = new Turns(scene);
        Optional<Expectation> expected = new Clocks(scene).expected();
        return new Guidance(
                scene.standing().state(),
                status(expected),
                scene.standing().since(),
                turns.mustAct(),
                turns.waitingOn(),
                nextStep(reader, expected),
                new Prospects(scene).all(reader),
                expected);
    }

    /** The next step of whoever must act, or has been escalated to, in a role; the same for all of them. */
    String nextStepAs(String role, Turns.Turn turn, Optional<Expectation> expected) {
        return carries(role)
                .or(() -> Optional.ofNullable(texts(turn).get(role)))
                .map(text -> new Words(scene).fill(text, expected))
                .orElseGet(this::nothingToDo);
    }

    private String status(Optional<Expectation> expected) {
        Words words = new Words(scene);
        String hold = scene.standing()
                .voting()
                .hold()
                .map(held -> " The decision is on hold since " + Words.date(held.since()) + ": " + held.reason() + ".")
                .orElse("");
        return scene.standing().state() + " since "
                + Words.date(scene.standing().since()) + ": "
                + words.fill(scene.state().status(), expected) + hold;
    }

    private String nextStep(Actor reader, Optional<Expectation> expected) {
        Turns turns = new Turns(scene);
        Map<String, Text> texts = texts(turns.turn());
        Optional<String> mine = turns.mustAct().stream()
                .filter(holding -> turns.concerns(holding, reader))
                .map(Holding::as)
                .filter(texts::containsKey)
                .map(role -> closest(role, reader, texts))
                .findFirst();
        Optional<String> question = scene.standing().activity().asked().stream()
                .filter(asked -> asked.whom().equals(reader.person()))
                .map(Guiding::question)
                .findFirst();
        if (mine.isEmpty() && question.isPresent()) {
            return question.get();
        }
        String step = mine.or(() -> texts.keySet().stream()
                        .filter(role -> scene.has(reader, role) && !turns.done().contains(role))
                        .findFirst())
                .map(role -> carries(role)
                        .or(() -> voted(reader, role))
                        .map(text -> new Words(scene).fill(text, expected))
                        .orElseGet(() -> nextStepAs(role, turns.turn(), expected)))
                .orElseGet(this::nothingToDo);
        return question.map(asked -> asked + " " + step).orElse(step);
    }

    /** Of a role and those that imply it, the one that says most to a reader: there is more that they can do. */
    private String closest(String role, Actor reader, Map<String, Text> texts) {
        return texts.keySet().stream()
                .filter(other -> scene.has(reader, other)
                        && scene.process().roles().get(other) instanceof Role.Brought brought
                        && brought.implies().contains(role))
                .findFirst()
                .orElse(role);
    }

    /** What those who vote here do next once the vote carries; nothing of it while the decision is on hold. */
    private Optional<Text> carries(String role) {
        return scene.standing().voting().hold().isEmpty()
                        && scene.tally().filter(Tally::carried).isPresent()
                ? vote(role).flatMap(VoteRule::carries)
                : Optional.empty();
    }

    /** What somebody does next who has voted; whoever voted before the text changed had better vote again. */
    private Optional<Text> voted(Actor reader, String role) {
        return Optional.ofNullable(scene.standing().voting().ballots().get(reader.person()))
                .filter(cast -> !cast.earlier())
                .flatMap(cast -> vote(role))
                .flatMap(VoteRule::voted);
    }

    private Optional<VoteRule> vote(String role) {
        return Optional.ofNullable(scene.process().votes().get(scene.standing().state()))
                .filter(rule -> rule.who().equals(role));
    }

    /** The state's texts; before them, where a turn is others' because a role is vacant, what is said of that. */
    private Map<String, Text> texts(Turns.Turn turn) {
        Map<String, Text> texts = new LinkedHashMap<>();
        turn.vacant().ifPresent(held -> texts.putAll(held.vacant()));
        scene.state().guidance().forEach(texts::putIfAbsent);
        return texts;
    }

    private static String question(Event.Asked asked) {
        return asked.question().isBlank()
                ? asked.by().person() + " asks you to have a look."
                : asked.by().person() + " asks you: " + asked.question();
    }

    private String nothingToDo() {
        List<Holding> mustAct = new Turns(scene).mustAct();
        if (mustAct.isEmpty()) {
            return "Nothing to do: it is " + scene.standing().state() + ".";
        }
        return "Nothing for you to do now: it is up to "
                + new Words(scene).parties(mustAct.stream().map(Holding::who).toList()) + ".";
    }
}
