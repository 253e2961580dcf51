package dev.gavel.lifecycle.process;

import dev.gavel.lifecycle.actor.Actor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A role that an actor has in a specification process: for all proposals, such as maintainer, or for a single proposal,
 * such as sponsor.
 */
public sealed interface Role {
    /** The role of every actor except the system. */
    String ANYONE = "anyone";

    /** The role of the process itself when it performs clock actions. */
    String SYSTEM = Actor.SYSTEM;

    /** The name of the role in the process file. */
    String name();

    /** How texts call a person with the role, for example "a steward". */
    String title();

    /**
     * A role that an actor has from the credential, the same for every proposal.
     *
     * @param implies all other roles that the role includes, directly or indirectly
     */
    record ActorRole(String name, String title, Set<String> implies) implements Role {
        public ActorRole {
            implies = Set.copyOf(implies);
        }
    }

    /**
     * A role held in one proposal, recorded in its history.
     *
     * @param multipleHolders whether several people may hold it at a time
     * @param proposer whether it is the role of the proposers; that role is never vacant
     * @param eligibleRole the actor role required to take it; people with that role must act while it is vacant
     * @param excludedRoles the roles whose holders in the proposal may not hold it; if empty, the default of the
     *     process applies
     * @param transferable whether a holder may transfer it
     * @param vacancyGuidance the guidance by reader role while this role is vacant and its holder would have to act
     */
    record ProposalRole(
            String name,
            String title,
            boolean multipleHolders,
            boolean proposer,
            Optional<String> eligibleRole,
            Optional<List<String>> excludedRoles,
            boolean transferable,
            Map<String, TextTemplate> vacancyGuidance)
            implements Role {
        public ProposalRole {
            if (proposer == eligibleRole.isPresent()) {
                throw new IllegalArgumentException(
                        "a proposal role is either the proposer's role or has an eligible role");
            }
            excludedRoles = excludedRoles.map(List::copyOf);
            vacancyGuidance = Collections.unmodifiableMap(new LinkedHashMap<>(vacancyGuidance));
        }
    }
}
