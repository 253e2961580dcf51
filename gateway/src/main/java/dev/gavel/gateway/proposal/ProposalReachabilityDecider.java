package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Uses members' presence to decide whether an open proposal can currently be approved, and whether the member running
 * an approved call has left.
 */
record ProposalReachabilityDecider(
        ProposalSnapshot proposalSnapshot, EligibleReviewers reviewers, PresenceSnapshot presenceSnapshot) {
    /**
     * Limits the history of a proposal whose reviewers connect and disconnect repeatedly: from this length on, presence
     * changes are no longer recorded.
     */
    private static final int MAX_HISTORY = 5_000;

    /** Returns the event that presence causes by now, if any. */
    Optional<ProposalEvent> decideAt(Instant now) {
        if (proposalSnapshot.isOpen() && proposalSnapshot.timeline().size() >= MAX_HISTORY) {
            return Optional.empty();
        }
        if (proposalSnapshot.stateAt(now) == ProposalState.OPEN
                && proposalSnapshot.unreachable()
                && unreachableFrom().isEmpty()) {
            return Optional.of(new Reachable(presenceSnapshot.presentAmong(reviewers.couldFulfil())));
        }
        if (dueAt().filter(due -> !now.isBefore(due)).isEmpty()
                || proposalSnapshot.stateAt(now) == ProposalState.EXPIRED) {
            return Optional.empty();
        }
        return Optional.of(
                proposalSnapshot.isOpen()
                        ? new Unreachable(missingMembers())
                        : new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT));
    }

    /** When a member's absence starts to count if presence does not change until then. */
    Optional<Instant> dueAt() {
        if (proposalSnapshot.isOpen()) {
            return proposalSnapshot.unreachable() ? Optional.empty() : unreachableFrom();
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        return fulfilment == null
                        || fulfilment.outcome() != FulfilmentOutcome.PENDING
                        || presenceSnapshot.anyPresent(fulfilment.addressees())
                ? Optional.empty()
                : Optional.of(presenceSnapshot.graceEnd(fulfilment.addressees()));
    }

    /** The time from which no member that could fulfil it, or no target, is present; empty if both are present. */
    private Optional<Instant> unreachableFrom() {
        Optional<Instant> reviewersAbsentFrom = absentFrom(List.copyOf(reviewers.couldFulfil()));
        Optional<Instant> targetsAbsentFrom =
                reviewers.targets().isEmpty() ? Optional.empty() : absentFrom(List.copyOf(reviewers.targets()));
        return reviewersAbsentFrom.isPresent() && targetsAbsentFrom.isPresent()
                ? reviewersAbsentFrom
                        .filter(at -> at.isBefore(targetsAbsentFrom.get()))
                        .or(() -> targetsAbsentFrom)
                : reviewersAbsentFrom.or(() -> targetsAbsentFrom);
    }

    private Optional<Instant> absentFrom(List<String> ids) {
        return presenceSnapshot.anyPresent(ids) ? Optional.empty() : Optional.of(presenceSnapshot.graceEnd(ids));
    }

    /** The members whose presence would make it reachable. */
    private List<String> missingMembers() {
        return presenceSnapshot.anyPresent(reviewers.couldFulfil())
                ? List.copyOf(reviewers.targets())
                : List.copyOf(reviewers.couldFulfil());
    }
}
