package dev.gavel.lifecycle.process;

import dev.gavel.lifecycle.people.Actor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What somebody can be to a proposal. */
public sealed interface Role {
    /** Everybody has it. */
    String ANYONE = "anyone";

    /** Only the process itself has it, when it does what a clock says. */
    String SYSTEM = Actor.SYSTEM;

    /** The word for it in the process. */
    String name();

    /** What people call one who has it: "a steward". */
    String title();

    /**
     * A role an actor brings along, the same for every proposal.
     *
     * @param implies the other roles whoever brings this one has too, and what those imply
     */
    record Brought(String name, String title, Set<String> implies) implements Role {
        public Brought {
            implies = Set.copyOf(implies);
        }
    }

    /**
     * A role held in one proposal, by the people its history says.
     *
     * @param several whether more than one may hold it at a time
     * @param proposer whether it is the role of whoever makes the proposal; it is never vacant
     * @param from the role one must bring to take it, and whose move it is while it is vacant
     * @param transferable whether a holder may hand it on
     * @param vacant what to tell a role's bearers while nobody holds this one and its holder would have to act
     */
    record Held(
            String name,
            String title,
            boolean several,
            boolean proposer,
            Optional<String> from,
            boolean transferable,
            Map<String, Text> vacant)
            implements Role {
        public Held {
            if (proposer == from.isPresent()) {
                throw new IllegalArgumentException("a held role is the proposer's, or it says from whom it is taken");
            }
            vacant = Collections.unmodifiableMap(new LinkedHashMap<>(vacant));
        }
    }
}
