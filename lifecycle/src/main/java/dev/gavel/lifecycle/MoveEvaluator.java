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
    /** Every move that leads on from here. */
    List<MoveEligibility> evaluateAll(Actor reader) {
        return context.processDefinition().movesFrom(context.snapshot().state()).stream()
                .map(move -> evaluate(move, reader, List.of()))
                .toList();
    }

    /** One move, with the evidence that would come with it. */
    MoveEligibility evaluate(Move move, Actor actor, List<Evidence> given) {
        return new MoveEligibility(
                move.to(),
                move.allowedRoles().stream()
                        .flatMap(role -> context.holdersOrGroup(role).stream())
                        .distinct()
                        .toList(),
                new LifecycleFormatter(context).formatRoles(move.allowedRoles()),
                context.hasAnyRole(actor, move.allowedRoles()),
                new RequirementEvaluator(context, given).check(move.requirements()),
                blocked(move));
    }

    /** Why no move leads from here to a state; from here to nowhere, where this is the end. */
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

    /** Why a word names no state, with the one that was probably meant. */
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
