package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.EditorialRule;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides whether an edit of a specification proposal is editorial, and refuses edits of a text that was voted on or is
 * being voted on.
 */
record EditPolicy(LifecycleContext context, Actor by) {
    /** Whether an edit touches only parts that are editorial by the process, or the actor declares it editorial. */
    boolean isEditorial(LifecycleCommand.Edit edit, Map<String, String> attributes) {
        return edit.declaredEditorial() || touchesOnlyEditorialParts(edit, attributes);
    }

    /** Whether the actor may declare any edit editorial. */
    boolean mayDeclareEditorial() {
        return context.hasAnyRole(by, rule().declaringRoles())
                && new ExclusionPolicy(context)
                        .findExcludingRole(by.person(), proposerRole())
                        .isEmpty();
    }

    Optional<LifecycleRefusal> findRefusal(LifecycleCommand.Edit edit, Map<String, String> attributes) {
        if (edit.declaredEditorial() && !touchesOnlyEditorialParts(edit, attributes) && !mayDeclareEditorial()) {
            return Optional.of(
                    rule().declaringRoles().isEmpty()
                            ? LifecycleRefusal.of(
                                    RefusalCode.NOT_ALLOWED.code(),
                                    "In this process, no one can declare an edit editorial.")
                            : CommentAndEditHandler.notAllowedRefusal(
                                    context,
                                    "declare an edit editorial, and not "
                                            + context.processDefinition()
                                                    .proposerRole()
                                                    .title(),
                                    rule().declaringRoles()));
        }
        return decidedAttributeRefusal(attributes)
                .or(() -> isTextFixed() && !isEditorial(edit, attributes)
                        ? Optional.of(fixedTextRefusal())
                        : Optional.empty());
    }

    private boolean touchesOnlyEditorialParts(LifecycleCommand.Edit edit, Map<String, String> attributes) {
        Set<String> fields = lowerCase(edit.changedFields());
        attributes.forEach((name, value) -> {
            if (!context.attribute(name).equals(Optional.of(value))) {
                fields.add(name.toLowerCase(Locale.ROOT));
            }
        });
        Set<String> sections = lowerCase(edit.changedSections());
        return !(fields.isEmpty() && sections.isEmpty())
                && rule().sections().containsAll(sections)
                && rule().fields().containsAll(fields);
    }

    private LifecycleRefusal fixedTextRefusal() {
        String declare = rule().declaringRoles().isEmpty()
                ? ""
                : " " + capitalized(new LifecycleMessageFormatter(context).formatRoles(rule().declaringRoles()))
                        + " can make an edit that does not change the meaning and declare it editorial.";
        List<String> review = process().movesFrom(state()).stream()
                .map(MoveDefinition::to)
                .filter(to -> process().votes().containsKey(to))
                .toList();
        String moveBack = review.isEmpty()
                ? ""
                : " For any other change, move this proposal back to " + LifecycleMessageFormatter.formatStates(review)
                        + ".";
        return LifecycleRefusal.of(
                RefusalCode.SETTLED.code(),
                "The text is fixed in the state `" + state() + "`, because it was decided on." + declare + moveBack);
    }

    /**
     * Whether the vote on the text is over: a carried vote leads to the current state, or the state can be reached from
     * there and does not lead back to a vote.
     */
    private boolean isTextFixed() {
        if (!context.state().isOpen() || process().votes().containsKey(state())) {
            return false;
        }
        List<String> carriedStates = process().moveDefinitions().stream()
                .filter(new ExclusionPolicy(context)::decidesVote)
                .filter(moveDefinition -> moveDefinition.requirements().stream()
                        .flatMap(MoveRequirement::evidenceKinds)
                        .anyMatch(kind -> process().evidenceKind(kind).format() == EvidenceDefinition.Format.TALLY))
                .map(MoveDefinition::to)
                .toList();
        return carriedStates.contains(state())
                || (openStatesFrom(carriedStates).contains(state())
                        && openStatesFrom(List.of(state())).stream()
                                .noneMatch(process().votes()::containsKey));
    }

    /** The states themselves and all states to which they lead through open states. */
    private Set<String> openStatesFrom(List<String> states) {
        Set<String> reached = new HashSet<>();
        Deque<String> pending = new ArrayDeque<>(states);
        while (!pending.isEmpty()) {
            String current = pending.pop();
            if (process().state(current).isOpen() && reached.add(current)) {
                process().movesFrom(current).forEach(moveDefinition -> pending.push(moveDefinition.to()));
            }
        }
        return reached;
    }

    /**
     * The refusal to change an attribute with fixed values, because the proposal is voted on or was decided with its
     * current value.
     */
    private Optional<LifecycleRefusal> decidedAttributeRefusal(Map<String, String> attributes) {
        boolean voteOpen = context.state().isOpen() && process().votes().containsKey(state());
        if (!voteOpen && !isTextFixed()) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> entry : attributes.entrySet()) {
            AttributeDefinition attribute = process().attributes().get(entry.getKey());
            Optional<String> currentValue = context.attribute(entry.getKey());
            if (attribute != null
                    && !attribute.values().isEmpty()
                    && !currentValue.equals(Optional.of(entry.getValue()))) {
                return Optional.of(LifecycleRefusal.of(
                        RefusalCode.SETTLED.code(),
                        "Cannot change '" + entry.getKey() + "' from " + currentValue.orElse("none") + " to "
                                + entry.getValue() + " in the state `" + state() + "`: the "
                                + (voteOpen ? "vote is about" : "decision was made with") + " the current value."));
            }
        }
        return Optional.empty();
    }

    /** The roles that may make an edit: those that may edit at all, and those that may declare it editorial. */
    List<String> editingRoles(LifecycleCommand.Edit edit) {
        List<String> editors = process().permissions().edit();
        return edit.declaredEditorial()
                ? Stream.concat(editors.stream(), rule().declaringRoles().stream())
                        .distinct()
                        .toList()
                : editors;
    }

    private static Set<String> lowerCase(Set<String> names) {
        Set<String> all = new HashSet<>();
        names.forEach(name -> all.add(name.toLowerCase(Locale.ROOT)));
        return all;
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private List<String> proposerRole() {
        return List.of(process().proposerRole().name());
    }

    private EditorialRule rule() {
        return process().editorialRule();
    }

    private ProcessDefinition process() {
        return context.processDefinition();
    }

    private String state() {
        return context.snapshot().state();
    }
}
