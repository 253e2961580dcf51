package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks a command that moves a specification proposal to another state, and produces the resulting events or a
 * refusal.
 */
record MoveHandler(LifecycleContext context, Actor actor) {
    LifecycleCommandResult<LifecycleEvent> moveTo(String stateOrAlias, List<Evidence> offeredEvidence) {
        MoveEvaluator moveEvaluator = new MoveEvaluator(context);
        Optional<String> to = context.processDefinition().findState(stateOrAlias);
        if (to.isEmpty()) {
            return RefusalCode.UNKNOWN_STATE.refuse(moveEvaluator.unknownStateMessage(stateOrAlias));
        }
        Optional<MoveDefinition> moveDefinition =
                context.processDefinition().findMove(context.snapshot().state(), to.get());
        if (moveDefinition.isEmpty()) {
            return (context.state().isEnd() ? RefusalCode.ENDED : RefusalCode.NO_SUCH_MOVE)
                    .refuse(moveEvaluator.noMoveMessage(to.get()));
        }
        return makeMove(moveDefinition.get(), offeredEvidence);
    }

    LifecycleCommandResult<LifecycleEvent> makeMove(MoveDefinition moveDefinition, List<Evidence> evidence) {
        OfferedEvidenceValidator offeredEvidenceValidator = new OfferedEvidenceValidator(context, actor);
        List<Evidence> offeredEvidence = offeredEvidenceValidator.canonical(evidence);
        Optional<LifecycleRefusal> evidenceRefusal = offeredEvidenceValidator.findRefusal(offeredEvidence, true);
        MoveEligibility moveEligibility = new MoveEvaluator(context).evaluate(moveDefinition, actor, offeredEvidence);
        // Missing permission is reported first: better evidence would not help an actor who may not make the move.
        if (moveEligibility.actorMay() && evidenceRefusal.isPresent()) {
            return LifecycleCommandResult.refused(evidenceRefusal.get());
        }
        if (!moveEligibility.isPossible()) {
            return LifecycleCommandResult.refused(refusal(moveEligibility, moveEligibility.explanation()));
        }
        return new LifecycleCommandResult.Accepted<>(
                events(moveDefinition, offeredEvidence), advice(moveDefinition, offeredEvidence));
    }

    static LifecycleRefusal refusal(MoveEligibility moveEligibility, String message) {
        RefusalCode code;
        if (moveEligibility.blockReason().isPresent()) {
            code = RefusalCode.HOLD;
        } else {
            code = moveEligibility.actorMay() ? RefusalCode.MISSING : RefusalCode.NOT_ALLOWED;
        }
        return new LifecycleRefusal(
                code.code(), message, moveEligibility.allowedParties(), moveEligibility.unmetRequirements());
    }

    List<String> advice(MoveDefinition moveDefinition, List<Evidence> offeredEvidence) {
        return new RequirementEvaluator(context, moveDefinition, actor, offeredEvidence)
                .check(moveDefinition.recommendations()).stream()
                        .filter(recommendation -> !recommendation.met())
                        .map(recommendation ->
                                "Recommended: " + recommendation.description() + " (" + recommendation.detail() + ").")
                        .toList();
    }

    private List<LifecycleEvent> events(MoveDefinition moveDefinition, List<Evidence> offeredEvidence) {
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Moved(
                context.now(),
                actor,
                context.snapshot().state(),
                moveDefinition.to(),
                Stream.concat(offeredEvidence.stream(), tallyEvidence(moveDefinition).stream())
                        .toList()));
        for (String role : moveDefinition.droppedRoles()) {
            addRoleLeft(events, role, context.snapshot().holders().people(role));
        }
        moveDefinition
                .takenRole()
                .ifPresent(role -> addRoleTaken(
                        events, role, !moveDefinition.droppedRoles().contains(role)));
        return events;
    }

    /** Records a vote that carried or was lost as evidence of the move that requires it, so that the history shows it. */
    private List<Evidence> tallyEvidence(MoveDefinition moveDefinition) {
        return moveDefinition.requirements().stream()
                .flatMap(MoveRequirement::evidenceKinds)
                .distinct()
                .flatMap(kind -> context.voteTally().filter(tally -> isResult(kind, tally)).stream()
                        .map(tally -> new Evidence(kind, tally.summary())))
                .toList();
    }

    private boolean isResult(String kind, VoteTally tally) {
        return switch (context.processDefinition().evidenceKind(kind).format()) {
            case TALLY -> tally.carried();
            case LOST_TALLY -> tally.lost();
            case LINK, TEXT, DATE, DECISION -> false;
        };
    }

    private void addRoleTaken(List<LifecycleEvent> events, String role, boolean keepHolders) {
        List<Person> holders = keepHolders ? context.snapshot().holders().people(role) : List.of();
        if (holders.contains(actor.person())) {
            return;
        }
        if (context.processDefinition()
                .findProposalRole(role)
                .filter(proposalRole -> !proposalRole.multipleHolders())
                .isPresent()) {
            addRoleLeft(events, role, holders);
        }
        events.add(new LifecycleEvent.RoleTaken(context.now(), actor, role, actor.person()));
    }

    private void addRoleLeft(List<LifecycleEvent> events, String role, List<Person> people) {
        people.forEach(person -> events.add(new LifecycleEvent.RoleLeft(context.now(), actor, role, person)));
    }
}
