package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Defines a state of a process: whose turn it is, its status text and the guidance for each role.
 *
 * @param statusText how things are there, after "NAME since DATE: "
 * @param turns whose turn it is to act: the first whose work is not done; empty unless the state is open
 * @param requiredRoles roles somebody must hold here: while nobody does, it is the turn of those who may take it
 * @param awaitedRoles roles whose answer is needed meanwhile
 * @param guidanceByRole the next step of each role, the first that a reader has counting for them
 */
public record ProcessState(
        String name,
        Kind kind,
        TextTemplate statusText,
        List<Turn> turns,
        List<String> requiredRoles,
        List<String> awaitedRoles,
        Map<String, TextTemplate> guidanceByRole) {
    /** Whether somebody must act, and whether anything can still happen. */
    public enum Kind {
        /** Somebody must act. */
        OPEN,
        /** Nobody must act, though a move may be made. */
        SETTLED,
        /** No move is ever made again. */
        END
    }

    /**
     * A role's turn to act.
     *
     * @param untilEvidence evidence that, once there, passes the turn on; where empty the turn stays
     */
    public record Turn(String role, Set<String> untilEvidence) {
        public Turn {
            untilEvidence = Set.copyOf(untilEvidence);
        }
    }

    public ProcessState {
        if ((kind == Kind.OPEN) == turns.isEmpty()) {
            throw new IllegalArgumentException("somebody must act in an open state and in no other: " + name);
        }
        turns = List.copyOf(turns);
        requiredRoles = List.copyOf(requiredRoles);
        awaitedRoles = List.copyOf(awaitedRoles);
        guidanceByRole = Collections.unmodifiableMap(new LinkedHashMap<>(guidanceByRole));
    }

    /** Whether somebody must act here. */
    public boolean isOpen() {
        return kind == Kind.OPEN;
    }

    /** Whether nothing ever moves on from here. */
    public boolean isEnd() {
        return kind == Kind.END;
    }
}
