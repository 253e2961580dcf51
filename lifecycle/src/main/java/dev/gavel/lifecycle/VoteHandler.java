package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Handles commands that cast a vote on a specification proposal, put the decision on hold or release the hold. */
record VoteHandler(LifecycleContext context, Actor by) {
    LifecycleCommandResult<LifecycleEvent> vote(BallotChoice ballotChoice, String reason) {
        return withVoteRule(rule -> {
            if (!context.hasRole(by, rule.voterRole())) {
                return LifecycleCommandResult.refused(
                        CommentAndEditHandler.notAllowedRefusal(context, "vote", List.of(rule.voterRole())));
            }
            ExclusionPolicy exclusionPolicy = new ExclusionPolicy(context);
            Optional<String> exclusion = exclusionPolicy.findReason(by, exclusionPolicy.excludedFromVote(rule), false);
            if (exclusion.isPresent()) {
                return LifecycleCommandResult.refused(CommentAndEditHandler.excludedRefusal("vote", exclusion.get()));
            }
            if (ballotChoice == BallotChoice.CONCERN && reason.isBlank()) {
                return RefusalCode.MISSING.refuse("Give a reason for the concern, so that it can be resolved.");
            }
            return LifecycleCommandResult.accepted(
                    List.of(new LifecycleEvent.Voted(context.now(), by, ballotChoice, reason)));
        });
    }

    LifecycleCommandResult<LifecycleEvent> hold(String reason) {
        return withVoteRule(rule -> {
            if (!context.hasAnyRole(by, rule.holdRoles())) {
                return LifecycleCommandResult.refused(
                        CommentAndEditHandler.notAllowedRefusal(context, "put the decision on hold", rule.holdRoles()));
            }
            if (context.snapshot().voteRound().hold().isPresent()) {
                return RefusalCode.HOLD.refuse("The decision is already on hold.");
            }
            if (reason.isBlank()) {
                return RefusalCode.MISSING.refuse("Give a reason for putting the decision on hold.");
            }
            return LifecycleCommandResult.accepted(List.of(new LifecycleEvent.DecisionHeld(context.now(), by, reason)));
        });
    }

    LifecycleCommandResult<LifecycleEvent> release(String reason) {
        return withVoteRule(rule -> {
            if (!context.hasAnyRole(by, rule.holdRoles())) {
                return LifecycleCommandResult.refused(
                        CommentAndEditHandler.notAllowedRefusal(context, "resume the decision", rule.holdRoles()));
            }
            return context.snapshot().voteRound().hold().isPresent()
                    ? LifecycleCommandResult.accepted(
                            List.of(new LifecycleEvent.DecisionReleased(context.now(), by, reason)))
                    : RefusalCode.HOLD.refuse("The decision is not on hold.");
        });
    }

    private LifecycleCommandResult<LifecycleEvent> withVoteRule(
            Function<VoteRule, LifecycleCommandResult<LifecycleEvent>> decide) {
        VoteRule rule =
                context.processDefinition().votes().get(context.snapshot().state());
        if (rule != null) {
            return decide.apply(rule);
        }
        Set<String> votingStates = context.processDefinition().votes().keySet();
        return RefusalCode.NO_VOTE.refuse("There is no vote in the state `"
                + context.snapshot().state() + "`"
                + (votingStates.isEmpty() ? "" : ", only in " + LifecycleMessageFormatter.formatStates(votingStates))
                + ".");
    }
}
