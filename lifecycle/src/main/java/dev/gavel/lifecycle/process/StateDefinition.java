package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Defines a state of a process: which roles must act in it, its status text and the guidance for each role.
 *
 * @param statusText the status, worded to follow "NAME since DATE: "
 * @param turns the turns in order, of which the first unfinished one is current; empty unless the state is open
 * @param requiredRoles the roles that must have a holder; while one is vacant, those who may take it must act
 * @param awaitedRoles the roles whose answer is needed in the meantime
 * @param guidanceByRole the next step of each role; a reader gets the first one whose role they have
 */
public record StateDefinition(
        String name,
        Kind kind,
        TextTemplate statusText,
        List<Turn> turns,
        List<String> requiredRoles,
        List<String> awaitedRoles,
        Map<String, TextTemplate> guidanceByRole) {
    /** Whether a role must act in the state, and whether moves lead from it. */
    public enum Kind {
        /** A role must act. */
        OPEN,
        /** No role must act, but moves are possible. */
        SETTLED,
        /** No move leads from this state. */
        END
    }

    /**
     * The turn of a role to act.
     *
     * @param untilEvidence the evidence kinds that together end the turn; if empty, the turn does not end
     */
    public record Turn(String role, Set<String> untilEvidence) {
        public Turn {
            untilEvidence = Set.copyOf(untilEvidence);
        }
    }

    public StateDefinition {
        if ((kind == Kind.OPEN) == turns.isEmpty()) {
            throw new IllegalArgumentException(
                    "an open state, and only an open state, needs a role that must act: " + name);
        }
        turns = List.copyOf(turns);
        requiredRoles = List.copyOf(requiredRoles);
        awaitedRoles = List.copyOf(awaitedRoles);
        guidanceByRole = Collections.unmodifiableMap(new LinkedHashMap<>(guidanceByRole));
    }

    /** Whether a role must act in this state. */
    public boolean isOpen() {
        return kind == Kind.OPEN;
    }

    /** Whether no move leads from this state. */
    public boolean isEnd() {
        return kind == Kind.END;
    }
}
