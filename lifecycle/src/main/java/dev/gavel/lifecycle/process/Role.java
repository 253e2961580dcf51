package dev.gavel.lifecycle.process;

import dev.gavel.lifecycle.actor.Actor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A role in a process, which an actor has either for every specification proposal or only in one of them. */
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
    record ActorRole(String name, String title, Set<String> implies) implements Role {
        public ActorRole {
            implies = Set.copyOf(implies);
        }
    }

    /**
     * A role held in one proposal, by the people its history says.
     *
     * @param multipleHolders whether more than one may hold it at a time
     * @param proposer whether it is the role of whoever makes the proposal; it is never vacant
     * @param eligibleRole the role one must bring to take it, and whose move it is while it is vacant
     * @param transferable whether a holder may hand it on
     * @param vacancyGuidance what to tell a role's bearers while nobody holds this one and its holder would have to act
     */
    record ProposalRole(
            String name,
            String title,
            boolean multipleHolders,
            boolean proposer,
            Optional<String> eligibleRole,
            boolean transferable,
            Map<String, TextTemplate> vacancyGuidance)
            implements Role {
        public ProposalRole {
            if (proposer == eligibleRole.isPresent()) {
                throw new IllegalArgumentException("a held role is the proposer's, or it says from whom it is taken");
            }
            vacancyGuidance = Collections.unmodifiableMap(new LinkedHashMap<>(vacancyGuidance));
        }
    }
}
