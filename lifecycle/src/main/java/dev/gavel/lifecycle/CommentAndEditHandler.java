package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Handles commands that comment on a specification proposal, ask a person a question or edit its attributes. */
record CommentAndEditHandler(LifecycleContext context, Actor by) {
    LifecycleCommandResult<LifecycleEvent> comment(String text) {
        if (text.isBlank()) {
            return RefusalCode.MISSING.refuse("The comment is empty.");
        }
        return acceptIfAllowed(
                "comment",
                context.processDefinition().permissions().comment(),
                new LifecycleEvent.Commented(context.now(), by, text));
    }

    LifecycleCommandResult<LifecycleEvent> ask(Person addressee, String question) {
        if (addressee.equals(by.person())) {
            return RefusalCode.NOT_ALLOWED.refuse("You cannot ask yourself.");
        }
        return acceptIfAllowed(
                "ask a person",
                context.processDefinition().permissions().ask(),
                new LifecycleEvent.QuestionAsked(context.now(), by, addressee, question));
    }

    LifecycleCommandResult<LifecycleEvent> edit(LifecycleCommand.Edit edit) {
        EditPolicy editPolicy = new EditPolicy(context, by);
        Map<String, String> attributes = canonicalAttributes(edit.attributes());
        Optional<LifecycleRefusal> refusal = settledRefusal()
                .or(() -> findInvalidAttribute(edit.attributes()))
                .or(() -> editPolicy.findRefusal(edit, attributes));
        if (refusal.isPresent()) {
            return LifecycleCommandResult.refused(refusal.get());
        }
        return acceptIfAllowed(
                "edit this proposal",
                editPolicy.editingRoles(edit),
                new LifecycleEvent.Edited(context.now(), by, attributes, editPolicy.isEditorial(edit, attributes)));
    }

    /** The refusal of an edit in a settled state from which the proposer cannot move the proposal on. */
    private Optional<LifecycleRefusal> settledRefusal() {
        List<MoveDefinition> moveDefinitions =
                context.processDefinition().movesFrom(context.snapshot().state());
        String proposer = context.processDefinition().proposerRole().name();
        if (context.state().isOpen()
                || moveDefinitions.stream()
                        .anyMatch(
                                moveDefinition -> moveDefinition.allowedRoles().contains(proposer)
                                        || moveDefinition.allowedRoles().contains(Role.ANYONE))) {
            return Optional.empty();
        }
        String remainingMoves = moveDefinitions.isEmpty()
                ? ""
                : " It can only move to "
                        + LifecycleMessageFormatter.formatStates(
                                moveDefinitions.stream().map(MoveDefinition::to).toList())
                        + ".";
        return Optional.of(LifecycleRefusal.of(
                RefusalCode.SETTLED.code(),
                "This proposal is `" + context.snapshot().state() + "` and can no longer be edited." + remainingMoves));
    }

    /** The refusal of the first attribute that is unknown or has a value that the process does not allow. */
    Optional<LifecycleRefusal> findInvalidAttribute(Map<String, String> attributes) {
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            AttributeDefinition attribute =
                    context.processDefinition().attributes().get(entry.getKey());
            if (attribute == null) {
                return Optional.of(LifecycleRefusal.of(
                        RefusalCode.BAD_ATTRIBUTE.code(), "Unknown attribute '" + entry.getKey() + "'."));
            }
            if (attribute.canonicalValue(entry.getValue()).isEmpty()) {
                return Optional.of(LifecycleRefusal.of(
                        RefusalCode.BAD_ATTRIBUTE.code(),
                        "Invalid value '" + entry.getValue() + "' for '" + entry.getKey() + "'. Use "
                                + LifecycleMessageFormatter.formatAlternatives(attribute.values()) + "."));
            }
        }
        return Optional.empty();
    }

    /** The attributes with each value written as the process defines it. */
    Map<String, String> canonicalAttributes(Map<String, String> attributes) {
        Map<String, String> all = new HashMap<>(attributes);
        all.replaceAll((name, value) -> Optional.ofNullable(
                        context.processDefinition().attributes().get(name))
                .flatMap(attribute -> attribute.canonicalValue(value))
                .orElse(value));
        return all;
    }

    /** The refusal of a command by an actor who would be allowed to give it without a conflict of interest. */
    static LifecycleRefusal excludedRefusal(String action, String reason) {
        return LifecycleRefusal.of(
                RefusalCode.NOT_ALLOWED.code(), "A person who " + reason + " cannot " + action + ".");
    }

    static LifecycleRefusal notAllowedRefusal(LifecycleContext lifecycleContext, String action, List<String> roles) {
        return new LifecycleRefusal(
                RefusalCode.NOT_ALLOWED.code(),
                "Only " + new LifecycleMessageFormatter(lifecycleContext).formatRoles(roles) + " can " + action + ".",
                roles.stream()
                        .flatMap(role -> lifecycleContext.holdersOrGroup(role).stream())
                        .toList(),
                List.of());
    }

    private LifecycleCommandResult<LifecycleEvent> acceptIfAllowed(
            String action, List<String> roles, LifecycleEvent event) {
        return context.hasAnyRole(by, roles)
                ? LifecycleCommandResult.accepted(List.of(event))
                : LifecycleCommandResult.refused(notAllowedRefusal(context, action, roles));
    }
}
