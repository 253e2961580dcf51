package dev.gavel.gateway.proposal;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The members who could fulfil a proposal and those it is addressed to. It changes only when what members may send
 * does, and working it out looks into the payload for every member: worth keeping while a proposal is open.
 *
 * @param couldFulfil the members, other than its proposer, who may send the fulfilling request with the payload as it
 *     was proposed
 * @param targets those it is addressed to who could fulfil it or may reject it
 */
public record EligibleReviewers(Set<String> couldFulfil, Set<String> targets) {
    public EligibleReviewers {
        couldFulfil = Collections.unmodifiableSet(new LinkedHashSet<>(couldFulfil));
        targets = Collections.unmodifiableSet(new LinkedHashSet<>(targets));
    }

    /** The circle of a proposal among these members. */
    public static EligibleReviewers of(ProposalSnapshot proposalSnapshot, MemberCapabilities memberCapabilities) {
        Set<String> could = new LinkedHashSet<>();
        for (String id : memberCapabilities.capabilitySet().keySet()) {
            if (!id.equals(proposalSnapshot.proposer())
                    && memberCapabilities.maySend(id, proposalSnapshot.call(), proposalSnapshot.payload())) {
                could.add(id);
            }
        }
        Set<String> targets = new LinkedHashSet<>(proposalSnapshot.to());
        // Nobody is asked to wait for themselves.
        targets.remove(proposalSnapshot.proposer());
        targets.removeIf(id -> !could.contains(id) && !memberCapabilities.mayReject(id));
        return new EligibleReviewers(could, targets);
    }

    /** Whether they could decide it: a veto of theirs counts, and it belongs into what waits on them. */
    public boolean includes(String id) {
        return couldFulfil.contains(id) || targets.contains(id);
    }

    /** Whose rejections, all together, close it. */
    Set<String> voters() {
        return targets.isEmpty() ? couldFulfil : targets;
    }

    /** Whose move it is, given who has said no: the targets who could do it, else anybody who could, else the targets. */
    List<String> deciders(Set<String> rejected) {
        List<String> asked = targets.stream()
                .filter(couldFulfil::contains)
                .filter(id -> !rejected.contains(id))
                .toList();
        if (!asked.isEmpty()) {
            return asked;
        }
        List<String> able =
                couldFulfil.stream().filter(id -> !rejected.contains(id)).toList();
        return able.isEmpty()
                ? targets.stream().filter(id -> !rejected.contains(id)).toList()
                : able;
    }
}
