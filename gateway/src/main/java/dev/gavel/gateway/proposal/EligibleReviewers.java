package dev.gavel.gateway.proposal;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The members who may decide on a proposal: those allowed to send the proposed call, and addressees allowed to reject
 * it. Members that cannot sign in are left out. It changes only when the members or their access change. Computing it matches the payload against every member's
 * capabilities, so it is stored while a proposal is open.
 *
 * @param couldFulfil the members, other than the proposer, who may send the fulfilling request with the payload as
 *     proposed
 * @param targets the members to whom it is addressed and who could fulfil or may reject it
 */
public record EligibleReviewers(Set<String> couldFulfil, Set<String> targets) {
    public EligibleReviewers {
        couldFulfil = Collections.unmodifiableSet(new LinkedHashSet<>(couldFulfil));
        targets = Collections.unmodifiableSet(new LinkedHashSet<>(targets));
    }

    /** Computes the eligible reviewers of a proposal among these members. */
    public static EligibleReviewers of(ProposalSnapshot proposalSnapshot, CapabilitiesByMember capabilitiesByMember) {
        Set<String> couldFulfil = new LinkedHashSet<>();
        for (String id : capabilitiesByMember.capabilitiesByMember().keySet()) {
            if (!id.equals(proposalSnapshot.proposer())
                    && !capabilitiesByMember.withoutAccess().contains(id)
                    && capabilitiesByMember.maySend(id, proposalSnapshot.callKind(), proposalSnapshot.payload())) {
                couldFulfil.add(id);
            }
        }
        Set<String> targets = new LinkedHashSet<>(proposalSnapshot.to());
        // A proposer does not wait for itself.
        targets.remove(proposalSnapshot.proposer());
        targets.removeAll(capabilitiesByMember.withoutAccess());
        targets.removeIf(id -> !couldFulfil.contains(id) && !capabilitiesByMember.mayReject(id));
        return new EligibleReviewers(couldFulfil, targets);
    }

    /** Returns the same reviewers, of which only these could fulfil the proposal. */
    EligibleReviewers withFulfillers(Predicate<String> mayFulfil) {
        Set<String> remaining = new LinkedHashSet<>(couldFulfil);
        remaining.removeIf(mayFulfil.negate());
        return new EligibleReviewers(remaining, targets);
    }

    /**
     * Whether a member could decide the proposal: its veto counts, and the proposal is listed among those that wait for
     * it.
     */
    public boolean includes(String id) {
        return couldFulfil.contains(id) || targets.contains(id);
    }

    /** The members whose combined rejections close the proposal. */
    Set<String> voters() {
        return targets.isEmpty() ? couldFulfil : targets;
    }

    /**
     * Returns the members whose decision the proposal waits for, without those who rejected it: the targets that could
     * fulfil it; if there are none, all members that could; if there are none, the targets.
     */
    List<String> pendingReviewers(Set<String> rejecters) {
        List<String> eligibleTargets = targets.stream()
                .filter(couldFulfil::contains)
                .filter(id -> !rejecters.contains(id))
                .toList();
        if (!eligibleTargets.isEmpty()) {
            return eligibleTargets;
        }
        List<String> remaining =
                couldFulfil.stream().filter(id -> !rejecters.contains(id)).toList();
        return remaining.isEmpty()
                ? targets.stream().filter(id -> !rejecters.contains(id)).toList()
                : remaining;
    }
}
