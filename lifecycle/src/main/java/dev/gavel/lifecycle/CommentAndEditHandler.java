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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

    LifecycleCommandResult<LifecycleEvent> edit(Map<String, String> attributes) {
        Optional<LifecycleRefusal> refusal = settledRefusal()
                .or(() -> findInvalidAttribute(attributes))
                .or(() -> decidedAttributeRefusal(attributes));
        if (refusal.isPresent()) {
            return LifecycleCommandResult.refused(refusal.get());
        }
        return acceptIfAllowed(
                "edit this proposal",
                context.processDefinition().permissions().edit(),
                new LifecycleEvent.Edited(context.now(), by, canonicalAttributes(attributes)));
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

    /**
     * The refusal to change an attribute with fixed values, because the proposal is voted on or was decided with its
     * current value.
     */
    private Optional<LifecycleRefusal> decidedAttributeRefusal(Map<String, String> attributes) {
        if (!context.state().isOpen() || context.processDefinition().votes().isEmpty()) {
            return Optional.empty();
        }
        String state = context.snapshot().state();
        boolean voteOpen = context.processDefinition().votes().containsKey(state);
        if (!voteOpen && leadsToVote(state, new HashSet<>())) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> entry : canonicalAttributes(attributes).entrySet()) {
            AttributeDefinition attribute =
                    context.processDefinition().attributes().get(entry.getKey());
            Optional<String> currentValue = context.attribute(entry.getKey());
            if (attribute != null
                    && !attribute.values().isEmpty()
                    && !currentValue.equals(Optional.of(entry.getValue()))) {
                return Optional.of(LifecycleRefusal.of(
                        RefusalCode.SETTLED.code(),
                        "Cannot change '" + entry.getKey() + "' from " + currentValue.orElse("none") + " to "
                                + entry.getValue() + " in the state `" + state + "`: the "
                                + (voteOpen ? "vote is about" : "decision was made with") + " the current value."));
            }
        }
        return Optional.empty();
    }

    /** Whether open states lead from this state to a state with a vote. */
    private boolean leadsToVote(String state, Set<String> seen) {
        return context.processDefinition().movesFrom(state).stream()
                .map(MoveDefinition::to)
                .filter(to -> context.processDefinition().state(to).isOpen() && seen.add(to))
                .anyMatch(to -> context.processDefinition().votes().containsKey(to) || leadsToVote(to, seen));
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
