package dev.gavel.lifecycle.process;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a proposal can stand.
 *
 * @param status how things are there, after "NAME since DATE: "
 * @param turns whose turn it is to act: the first whose work is not done; empty unless the state is open
 * @param staffed roles somebody must hold here: while nobody does, it is the turn of those who may take it
 * @param waits roles whose answer is needed meanwhile
 * @param guidance the next step of each role, the first that a reader has counting for them
 */
public record State(
        String name,
        Kind kind,
        Text status,
        List<Turn> turns,
        List<String> staffed,
        List<String> waits,
        Map<String, Text> guidance) {
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
     * @param until evidence that, once there, passes the turn on; where empty the turn stays
     */
    public record Turn(String role, Set<String> until) {
        public Turn {
            until = Set.copyOf(until);
        }
    }

    public State {
        if ((kind == Kind.OPEN) == turns.isEmpty()) {
            throw new IllegalArgumentException("somebody must act in an open state and in no other: " + name);
        }
        turns = List.copyOf(turns);
        staffed = List.copyOf(staffed);
        waits = List.copyOf(waits);
        guidance = Collections.unmodifiableMap(new LinkedHashMap<>(guidance));
    }

    /** Whether somebody must act here. */
    public boolean open() {
        return kind == Kind.OPEN;
    }

    /** Whether nothing ever moves on from here. */
    public boolean end() {
        return kind == Kind.END;
    }
}
