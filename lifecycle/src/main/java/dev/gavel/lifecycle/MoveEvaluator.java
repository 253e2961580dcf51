package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.yaml.WordSuggester;
import java.util.List;
import java.util.Optional;

/** Evaluates which moves an actor may make from the current state and what each still requires. */
record MoveEvaluator(LifecycleContext context) {
    /** Evaluates every move from the current state. */
    List<MoveEligibility> evaluateAll(Actor reader) {
        return context.processDefinition().movesFrom(context.snapshot().state()).stream()
                .map(move -> evaluate(move, reader, List.of()))
                .toList();
    }

    /** Evaluates one move, with the evidence that would come with it. */
    MoveEligibility evaluate(Move move, Actor actor, List<Evidence> offeredEvidence) {
        return new MoveEligibility(
                move.to(),
                move.allowedRoles().stream()
                        .flatMap(role -> context.holdersOrGroup(role).stream())
                        .distinct()
                        .toList(),
                new LifecycleFormatter(context).formatRoles(move.allowedRoles()),
                context.hasAnyRole(actor, move.allowedRoles()),
                new RequirementEvaluator(context, offeredEvidence).check(move.requirements()),
                blocked(move));
    }

    /** The message that no move leads from the current state to another, or that the current state is an end. */
    String noMoveMessage(String to) {
        String from = context.snapshot().state();
        if (context.state().isEnd()) {
            return "It is " + from + ", and that is the end: no move leads on from there.";
        }
        return "No move leads from " + from + " to " + to + ". From " + from + " it can go to "
                + LifecycleFormatter.formatAlternatives(context.processDefinition().movesFrom(from).stream()
                        .map(Move::to)
                        .toList())
                + ".";
    }

    /** The message that a word names no state, with the most similar state name if there is one. */
    String unknownStateMessage(String word) {
        return "There is no state '" + word + "'"
                + WordSuggester.suggest(
                                word, context.processDefinition().states().keySet())
                        .map(near -> "; did you mean '" + near + "'?")
                        .orElseGet(() -> ", only "
                                + LifecycleFormatter.formatAlternatives(List.copyOf(
                                        context.processDefinition().states().keySet()))
                                + ".");
    }

    private Optional<String> blocked(Move move) {
        VoteRule rule =
                context.processDefinition().votes().get(context.snapshot().state());
        return rule == null || !rule.decidedStates().contains(move.to())
                ? Optional.empty()
                : context.snapshot()
                        .voteRound()
                        .hold()
                        .map(hold -> "The decision is on hold since "
                                + LifecycleFormatter.formatDate(hold.since()) + " (" + hold.reason() + "); "
                                + new LifecycleFormatter(context).formatRoles(rule.holdRoles())
                                + " may take it up again.");
    }
}
