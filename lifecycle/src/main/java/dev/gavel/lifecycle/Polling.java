package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.List;
import java.util.function.Function;

/** Decides votes and holds. */
record Polling(Scene scene, Actor by) {
    Decision<Event> vote(Ballot ballot, String reason) {
        return withVote(rule -> {
            if (!scene.has(by, rule.who())) {
                return Decision.refused(Talking.notAllowed(scene, "vote", List.of(rule.who())));
            }
            if (ballot == Ballot.CONCERN && reason.isBlank()) {
                return RefusalCode.MISSING.refused("A concern needs its reason, so that it can be settled.");
            }
            return Decision.accepted(List.of(new Event.Voted(scene.now(), by, ballot, reason)));
        });
    }

    Decision<Event> hold(String reason) {
        return withVote(rule -> {
            if (!scene.hasAny(by, rule.hold())) {
                return Decision.refused(Talking.notAllowed(scene, "put the decision on hold", rule.hold()));
            }
            if (scene.standing().voting().hold().isPresent()) {
                return RefusalCode.HOLD.refused("The decision is on hold already.");
            }
            if (reason.isBlank()) {
                return RefusalCode.MISSING.refused("Putting a decision on hold needs a reason.");
            }
            return Decision.accepted(List.of(new Event.Held(scene.now(), by, reason)));
        });
    }

    Decision<Event> release(String reason) {
        return withVote(rule -> {
            if (!scene.hasAny(by, rule.hold())) {
                return Decision.refused(Talking.notAllowed(scene, "take the decision up again", rule.hold()));
            }
            return scene.standing().voting().hold().isPresent()
                    ? Decision.accepted(List.of(new Event.Released(scene.now(), by, reason)))
                    : RefusalCode.HOLD.refused("The decision is not on hold.");
        });
    }

    private Decision<Event> withVote(Function<VoteRule, Decision<Event>> decide) {
        VoteRule rule = scene.process().votes().get(scene.standing().state());
        return rule == null
                ? RefusalCode.NO_VOTE.refused("There is no vote while it is "
                        + scene.standing().state() + ", only while it is "
                        + Words.choice(List.copyOf(scene.process().votes().keySet())) + ".")
                : decide.apply(rule);
    }
}
