package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.yaml.Nearest;
import java.util.List;
import java.util.Optional;

/** Works out what stands between somebody and a move, the same for trying, explaining and guiding. */
record Prospects(Scene scene) {
    /** Every move that leads on from here. */
    List<Prospect> all(Actor reader) {
        return scene.process().movesFrom(scene.standing().state()).stream()
                .map(move -> of(move, reader, List.of()))
                .toList();
    }

    /** One move, with the evidence that would come with it. */
    Prospect of(Move move, Actor actor, List<Evidence> given) {
        return new Prospect(
                move.to(),
                move.who().stream()
                        .flatMap(role -> scene.bearers(role).stream())
                        .distinct()
                        .toList(),
                new Words(scene).roles(move.who()),
                scene.hasAny(actor, move.who()),
                new Needs(scene, given).check(move.needs()),
                barred(move));
    }

    /** Why no move leads from here to a state; from here to nowhere, where this is the end. */
    String noMove(String to) {
        String from = scene.standing().state();
        if (scene.state().end()) {
            return "It is " + from + ", and that is the end: no move leads on from there.";
        }
        return "No move leads from " + from + " to " + to + ". From " + from + " it can go to "
                + Words.choice(
                        scene.process().movesFrom(from).stream().map(Move::to).toList())
                + ".";
    }

    /** Why a word names no state, with the one that was probably meant. */
    String noState(String word) {
        return "There is no state '" + word + "'"
                + Nearest.to(word, scene.process().states().keySet())
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElseGet(() -> ", only "
                                + Words.choice(
                                        List.copyOf(scene.process().states().keySet()))
                                + ".");
    }

    private Optional<String> barred(Move move) {
        VoteRule rule = scene.process().votes().get(scene.standing().state());
        return rule == null || !rule.decides().contains(move.to())
                ? Optional.empty()
                : scene.standing()
                        .voting()
                        .hold()
                        .map(hold -> "The decision is on hold since "
                                + Words.date(hold.since()) + " (" + hold.reason() + "); "
                                + new Words(scene).roles(rule.hold()) + " may take it up again.");
    }
}
