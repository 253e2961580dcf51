package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.yaml.WordSuggester;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates which moves to another state an actor may make for a specification proposal, and what each still requires.
 */
record MoveEvaluator(LifecycleContext context) {
    /** Evaluates every move from the current state. */
    List<MoveEligibility> evaluateAll(Actor reader) {
        return context.processDefinition().movesFrom(context.snapshot().state()).stream()
                .map(moveDefinition -> evaluate(moveDefinition, reader, List.of()))
                .toList();
    }

    /** Evaluates one move, with the evidence that would come with it. */
    MoveEligibility evaluate(MoveDefinition moveDefinition, Actor actor, List<Evidence> offeredEvidence) {
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(context);
        boolean hasRole = context.hasAnyRole(actor, moveDefinition.allowedRoles());
        Optional<String> exclusion = exclusionPolicy
                .findReason(
                        actor,
                        exclusionPolicy.excludedFromMove(moveDefinition),
                        exclusionPolicy.decidesVote(moveDefinition))
                .filter(_ -> hasRole);
        return new MoveEligibility(
                moveDefinition.to(),
                moveDefinition.allowedRoles().stream()
                        .flatMap(role -> context.holdersOrGroup(role).stream())
                        .distinct()
                        .toList(),
                new LifecycleMessageFormatter(context).formatRoles(moveDefinition.allowedRoles())
                        + exclusion
                                .map(reason -> " (but no person who " + reason + ")")
                                .orElse(""),
                hasRole && exclusion.isEmpty(),
                new RequirementEvaluator(context, moveDefinition, actor, offeredEvidence)
                        .check(moveDefinition.requirements()),
                blocked(moveDefinition));
    }

    /** The message that no move leads from the current state to another, or that the current state is an end. */
    String noMoveMessage(String to) {
        String from = context.snapshot().state();
        if (context.state().isEnd()) {
            return "Cannot move from `" + from + "`: it is an end state.";
        }
        return "Cannot move from `" + from + "` to `" + to + "`. Possible moves from `" + from + "`: "
                + LifecycleMessageFormatter.formatStates(context.processDefinition().movesFrom(from).stream()
                        .map(MoveDefinition::to)
                        .toList())
                + ".";
    }

    /** The message that a word names no state, with the most similar state name if there is one. */
    String unknownStateMessage(String word) {
        return "Unknown state '" + word + "'. "
                + WordSuggester.suggest(
                                word, context.processDefinition().states().keySet())
                        .map(near -> "Did you mean '" + near + "'?")
                        .orElseGet(() -> "Use "
                                + LifecycleMessageFormatter.formatStates(
                                        context.processDefinition().states().keySet())
                                + ".");
    }

    private Optional<String> blocked(MoveDefinition moveDefinition) {
        VoteRule rule =
                context.processDefinition().votes().get(context.snapshot().state());
        return rule == null || !rule.decidedStates().contains(moveDefinition.to())
                ? Optional.empty()
                : context.snapshot()
                        .voteRound()
                        .hold()
                        .map(hold -> "The decision has been on hold since "
                                + LifecycleMessageFormatter.formatDate(hold.since()) + " (" + hold.reason()
                                + "). Only "
                                + new LifecycleMessageFormatter(context).formatRoles(rule.holdRoles())
                                + " can resume it.");
    }
}
