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
 * The few facts that a topic keeps in memory about a pending proposal, such as its due time, possible reviewers and
 * addressees. Immutable, and small: there may be many.
 *
 * @param approved whether it is open, and approved by a held approval
 * @param reviewers the members that could decide it; empty when it is no longer open
 * @param addressees the members that are to answer; empty unless it waits for an answer
 * @param requestId the id of the request that is to be answered, or of a held approval; no other request may use it
 * @param dueAt when time will change it, if it can
 * @param approximateBytes the approximate number of bytes to read for a decision on it
 */
public record InMemoryPendingProposal(
        String id,
        String proposer,
        boolean open,
        boolean approved,
        EligibleReviewers reviewers,
        List<String> addressees,
        Optional<String> requestId,
        Optional<Instant> dueAt,
        int approximateBytes) {
    private static final EligibleReviewers NO_REVIEWERS = new EligibleReviewers(Set.of(), Set.of());

    static InMemoryPendingProposal of(ProposalSnapshot proposalSnapshot, ProposalDecider decider) {
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        Optional<Fulfilment> running =
                Optional.ofNullable(fulfilment).filter(each -> each.outcome() == FulfilmentOutcome.PENDING);
        return new InMemoryPendingProposal(
                proposalSnapshot.id(),
                proposalSnapshot.proposer(),
                proposalSnapshot.isOpen(),
                proposalSnapshot.heldApproval().isPresent(),
                proposalSnapshot.isOpen() ? decider.eligibleReviewers(proposalSnapshot) : NO_REVIEWERS,
                running.map(Fulfilment::addressees).orElse(List.of()),
                running.map(each -> each.fulfilled().envelopeId())
                        .or(() -> proposalSnapshot
                                .heldApproval()
                                .map(held -> held.event().envelopeId())),
                proposalSnapshot.dueAt(),
                proposalSnapshot.payload().length()
                        + (fulfilment == null
                                ? 0
                                : fulfilment.fulfilled().payload().length()));
    }

    /** Returns a copy with an equal instance of the reviewers, so that many proposals can share one. */
    public InMemoryPendingProposal withReviewers(EligibleReviewers shared) {
        return new InMemoryPendingProposal(
                id, proposer, open, approved, shared, addressees, requestId, dueAt, approximateBytes);
    }

    /**
     * Whether it has no due time: it is not open and waits for no answer, so neither time nor presence can change it.
     */
    public boolean isFinal() {
        return dueAt.isEmpty();
    }

    /** Whether it is open, and a member proposed it or could decide it. */
    public boolean isOpenAndConcerns(String member) {
        return open && (proposer.equals(member) || reviewers.includes(member));
    }

    /** Whether it is open, and a member could decide it now. */
    public boolean awaitsDecisionOf(String member) {
        return open && !approved && reviewers.includes(member) && !proposer.equals(member);
    }

    /** Whether it is open, and not expired at a time. */
    public boolean isOpenAt(Instant now) {
        return open && dueAt.filter(due -> !now.isBefore(due)).isEmpty();
    }

    /** Whether it waits for the answer of members of which none is present. */
    public boolean awaitsAbsentMembers(Predicate<String> isPresent) {
        return !addressees.isEmpty() && addressees.stream().noneMatch(isPresent);
    }
}
