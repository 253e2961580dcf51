package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.PendingConfirmation;
import java.util.List;
import java.util.Optional;

/** Handles commands with which a second person confirms evidence, and finds the evidence that is not confirmed yet. */
record ConfirmationHandler(LifecycleContext context, Actor by) {
    LifecycleCommandResult<LifecycleEvent> confirm(String kindName, Optional<String> expectedValue) {
        EvidenceDefinition kind = context.processDefinition().evidence().get(kindName);
        if (kind == null) {
            return LifecycleCommandResult.refused(
                    new OfferedEvidenceValidator(context, by).unknownKindRefusal(kindName));
        }
        if (kind.confirmingRole().isEmpty()) {
            return RefusalCode.BAD_EVIDENCE.refuse("'" + kind.name() + "' needs no confirmation.");
        }
        Optional<LatestEvidenceByKind.Item> found = context.countableEvidence(kind);
        if (found.isEmpty()) {
            return RefusalCode.MISSING.refuse("There is no '" + kind.name() + "' to confirm"
                    + (context.validEvidence(kind).isPresent()
                            ? ": the text has changed since it was given. It must be given again."
                            : "."));
        }
        LatestEvidenceByKind.Item item = found.get();
        if (item.confirmedBy().isPresent()) {
            return RefusalCode.BAD_EVIDENCE.refuse(context.externalFacts()
                            .nameOf(item.confirmedBy().get()) + " has already confirmed '" + kind.name() + "'.");
        }
        return findRefusal(kind, item, expectedValue)
                .map(LifecycleCommandResult::<LifecycleEvent>refused)
                .orElseGet(() -> LifecycleCommandResult.accepted(List.of(new LifecycleEvent.EvidenceConfirmed(
                        context.now(), by, kind.name(), item.givenBy().person(), item.value()))));
    }

    private Optional<LifecycleRefusal> findRefusal(
            EvidenceDefinition kind, LatestEvidenceByKind.Item item, Optional<String> expectedValue) {
        String role = kind.confirmingRole().orElseThrow();
        String action = "confirm '" + kind.name() + "'";
        if (!context.hasRole(by, role)) {
            return Optional.of(CommentAndEditHandler.notAllowedRefusal(context, action, List.of(role)));
        }
        if (item.givenBy().person().equals(by.person())) {
            return Optional.of(LifecycleRefusal.of(
                    RefusalCode.NOT_ALLOWED.code(),
                    "You gave '" + kind.name() + "' yourself. Another person must confirm it: "
                            + context.processDefinition().title(role) + "."));
        }
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(context);
        Optional<LifecycleRefusal> exclusion = exclusionPolicy
                .findReason(by, exclusionPolicy.excludedFromEvidence(kind), true)
                .map(reason -> CommentAndEditHandler.excludedRefusal(action, reason));
        if (exclusion.isPresent()) {
            return exclusion;
        }
        return expectedValue
                .map(String::strip)
                .filter(value -> !value.equals(item.value()))
                .map(_ -> LifecycleRefusal.of(
                        RefusalCode.BAD_EVIDENCE.code(),
                        "'" + kind.name() + "' is now '" + item.value() + "'. Read it, then confirm it again."));
    }

    /** The evidence that a move from the current state needs and that another person must confirm. */
    static List<PendingConfirmation> pending(LifecycleContext context) {
        return context.processDefinition().movesFrom(context.snapshot().state()).stream()
                .flatMap(moveDefinition -> moveDefinition.requirements().stream())
                .flatMap(MoveRequirement::evidenceKinds)
                .distinct()
                .map(context.processDefinition()::evidenceKind)
                .flatMap(kind -> kind.confirmingRole().stream()
                        .flatMap(role -> context
                                .countableEvidence(kind)
                                .filter(item -> item.confirmedBy().isEmpty())
                                .map(item -> new PendingConfirmation(
                                        kind.name(),
                                        kind.description(),
                                        item.value(),
                                        item.givenBy().person(),
                                        item.at(),
                                        role))
                                .stream()))
                .toList();
    }
}
