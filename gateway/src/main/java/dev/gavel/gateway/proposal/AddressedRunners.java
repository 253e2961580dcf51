package dev.gavel.gateway.proposal;

import java.util.List;
import java.util.function.Predicate;

/** Finds the members that a proposal addresses so that they run the call. Stateless. */
final class AddressedRunners {
    private AddressedRunners() {}

    /**
     * Returns the members in {@code to} that are to run the call. A proposal can also address its reviewers: members that
     * may approve it, or may not run it, and neither offer the call nor offered it when it was proposed. A member that
     * was removed since then still counts as a runner, so that no other member takes over the call.
     *
     * @param offers whether a participant offers to run the call
     */
    static List<String> of(ProposalSnapshot proposalSnapshot, CapabilitiesByMember members, Predicate<String> offers) {
        return proposalSnapshot.to().stream()
                .filter(id -> !id.equals(proposalSnapshot.proposer()))
                .filter(id -> offers.test(id)
                        || proposalSnapshot.proposed().tools().stream()
                                .anyMatch(definition -> definition.participant().equals(id))
                        || !members.capabilitiesByMember().containsKey(id)
                        || (mayRespond(id, proposalSnapshot, members)
                                && !members.maySendKind(id, proposalSnapshot.callKind())))
                .toList();
    }

    /** Whether a member may send the response to the proposed call. */
    static boolean mayRespond(String id, ProposalSnapshot proposalSnapshot, CapabilitiesByMember members) {
        return members.maySendKind(id, proposalSnapshot.callKind().withOperation("response"));
    }
}
