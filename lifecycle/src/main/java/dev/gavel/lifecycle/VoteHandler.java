package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import java.util.List;
import java.util.function.Function;

/** Handles commands that cast a vote on a specification proposal, put the decision on hold or release the hold. */
record VoteHandler(LifecycleContext context, Actor by) {
    LifecycleCommandResult<LifecycleEvent> vote(BallotChoice ballotChoice, String reason) {
        return withVoteRule(rule -> {
            if (!context.hasRole(by, rule.voterRole())) {
                return LifecycleCommandResult.refused(
                        CommentAndEditHandler.notAllowedRefusal(context, "vote", List.of(rule.voterRole())));
            }
            if (ballotChoice == BallotChoice.CONCERN && reason.isBlank()) {
                return RefusalCode.MISSING.refuse("A concern needs its reason, so that it can be settled.");
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
                return RefusalCode.HOLD.refuse("The decision is on hold already.");
            }
            if (reason.isBlank()) {
                return RefusalCode.MISSING.refuse("Putting a decision on hold needs a reason.");
            }
            return LifecycleCommandResult.accepted(List.of(new LifecycleEvent.DecisionHeld(context.now(), by, reason)));
        });
    }

    LifecycleCommandResult<LifecycleEvent> release(String reason) {
        return withVoteRule(rule -> {
            if (!context.hasAnyRole(by, rule.holdRoles())) {
                return LifecycleCommandResult.refused(CommentAndEditHandler.notAllowedRefusal(
                        context, "take the decision up again", rule.holdRoles()));
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
        return rule == null
                ? RefusalCode.NO_VOTE.refuse("There is no vote while it is "
                        + context.snapshot().state() + ", only while it is "
                        + LifecycleMessageFormatter.formatAlternatives(
                                List.copyOf(context.processDefinition().votes().keySet()))
                        + ".")
                : decide.apply(rule);
    }
}
