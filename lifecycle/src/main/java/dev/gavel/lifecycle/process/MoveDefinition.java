package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Defines a move that a process allows: its source states, its target state, who may make it and what it requires.
 *
 * @param from the source states; empty for the move that submits a proposal
 * @param allowedRoles the roles that may make it
 * @param excludedRoles the roles whose holders in the proposal may not make it; if empty, the default of the process
 *     applies
 * @param requirements the conditions that must be met
 * @param recommendations the conditions that should be met; an unmet one is reported but does not block the move
 * @param takenRole the role that the actor takes with the move
 * @param droppedRoles the roles that the move leaves vacant
 */
public record MoveDefinition(
        SequencedSet<String> from,
        String to,
        List<String> allowedRoles,
        Optional<List<String>> excludedRoles,
        List<MoveRequirement> requirements,
        List<MoveRequirement> recommendations,
        Optional<String> takenRole,
        List<String> droppedRoles) {
    public MoveDefinition {
        if (allowedRoles.isEmpty()) {
            throw new IllegalArgumentException("a move needs a role that can make it; target state: " + to);
        }
        from = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(from));
        allowedRoles = List.copyOf(allowedRoles);
        excludedRoles = excludedRoles.map(List::copyOf);
        requirements = List.copyOf(requirements);
        recommendations = List.copyOf(recommendations);
        droppedRoles = List.copyOf(droppedRoles);
    }
}
