package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Defines a move that a process allows: its source states, its target state, who may make it and what it requires.
 *
 * @param from the states it starts in; none for the move that begins a proposal
 * @param allowedRoles the roles that may make it
 * @param requirements what must be so
 * @param recommendations what had better be so: its absence is mentioned and stops nothing
 * @param takenRole the role the mover takes by it
 * @param droppedRoles the roles nobody holds any more after it
 */
public record Move(
        SequencedSet<String> from,
        String to,
        List<String> allowedRoles,
        List<MoveRequirement> requirements,
        List<MoveRequirement> recommendations,
        Optional<String> takenRole,
        List<String> droppedRoles) {
    public Move {
        if (allowedRoles.isEmpty()) {
            throw new IllegalArgumentException("nobody could make the move to " + to);
        }
        from = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(from));
        allowedRoles = List.copyOf(allowedRoles);
        requirements = List.copyOf(requirements);
        recommendations = List.copyOf(recommendations);
        droppedRoles = List.copyOf(droppedRoles);
    }
}
