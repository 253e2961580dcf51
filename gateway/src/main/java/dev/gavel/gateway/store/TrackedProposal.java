package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.EligibleReviewers;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The fields of an open or unanswered proposal that the sweepers need: due time, eligible reviewers, addressees and
 * reachability. Immutable, and small: there may be many.
 *
 * @param reviewers whom it depends on; empty when it is no longer open
 * @param unreachable whether its proposer was told last that nobody is there
 * @param addressees who is to answer; empty unless it waits for an answer
 * @param dueAt when time will change it, if it can
 * @param bytes about how much has to be read to decide on it
 */
public record TrackedProposal(
        String id,
        String proposer,
        boolean open,
        EligibleReviewers reviewers,
        boolean unreachable,
        List<String> addressees,
        Optional<Instant> dueAt,
        int bytes) {
    private static final EligibleReviewers NOBODY = new EligibleReviewers(Set.of(), Set.of());

    static TrackedProposal of(ProposalSnapshot proposalSnapshot, ProposalDecider life) {
        Fulfilment call = proposalSnapshot.fulfilment();
        List<String> addressees =
                call != null && call.outcome() == FulfilmentOutcome.PENDING ? call.addressees() : List.of();
        return new TrackedProposal(
                proposalSnapshot.id(),
                proposalSnapshot.proposer(),
                proposalSnapshot.open(),
                proposalSnapshot.open() ? life.eligibleReviewers(proposalSnapshot) : NOBODY,
                proposalSnapshot.unreachable(),
                addressees,
                proposalSnapshot.dueAt(),
                proposalSnapshot.payload().length()
                        + (call == null ? 0 : call.request().payload().length()));
    }

    /** The same with an equal circle, so that many can share one. */
    public TrackedProposal withReviewers(EligibleReviewers same) {
        return new TrackedProposal(id, proposer, open, same, unreachable, addressees, dueAt, bytes);
    }

    /** Whether nothing more can come of it by itself. */
    public boolean isSettled() {
        return dueAt.isEmpty();
    }

    /** Whether it belongs to what a member made or could decide. */
    public boolean concerns(String member) {
        return open && (proposer.equals(member) || reviewers.includes(member));
    }

    /** Whether, with those who are here, it is no longer as its proposer was told; grace aside. */
    public boolean needsAttention(Predicate<EligibleReviewers> reachable, Predicate<String> here) {
        return open
                ? unreachable == reachable.test(reviewers)
                : !addressees.isEmpty() && addressees.stream().noneMatch(here);
    }
}
