package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides from presence whether a proposal becomes reachable or unreachable, and whether an addressee left without
 * answering.
 */
record ReachabilityDecider(
        ProposalSnapshot proposalSnapshot, EligibleReviewers reviewers, PresenceSnapshot presenceSnapshot) {
    /** Somebody who comes and goes all day must not make a proposal's history endless: after so much it stays as it is. */
    private static final int LONGEST_HISTORY = 5_000;

    /** What is to happen by now. */
    Optional<ProposalEvent> decideAt(Instant now) {
        if (proposalSnapshot.open() && proposalSnapshot.timeline().size() >= LONGEST_HISTORY) {
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
                proposalSnapshot.open()
                        ? new Unreachable(missingMembers())
                        : new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT));
    }

    /** When somebody's absence will count if nobody comes or goes until then. */
    Optional<Instant> dueAt() {
        if (proposalSnapshot.open()) {
            return proposalSnapshot.unreachable() ? Optional.empty() : unreachableFrom();
        }
        Fulfilment call = proposalSnapshot.fulfilment();
        return call == null
                        || call.outcome() != FulfilmentOutcome.PENDING
                        || presenceSnapshot.anyPresent(call.addressees())
                ? Optional.empty()
                : Optional.of(presenceSnapshot.graceEnd(call.addressees()));
    }

    /** From when on nobody who could do it, or no target, is here; empty where both are. */
    private Optional<Instant> unreachableFrom() {
        Optional<Instant> able = absent(List.copyOf(reviewers.couldFulfil()));
        Optional<Instant> target =
                reviewers.targets().isEmpty() ? Optional.empty() : absent(List.copyOf(reviewers.targets()));
        return able.isPresent() && target.isPresent()
                ? able.filter(at -> at.isBefore(target.get())).or(() -> target)
                : able.or(() -> target);
    }

    private Optional<Instant> absent(List<String> ids) {
        return presenceSnapshot.anyPresent(ids) ? Optional.empty() : Optional.of(presenceSnapshot.graceEnd(ids));
    }

    /** Whose coming would change that. */
    private List<String> missingMembers() {
        return presenceSnapshot.anyPresent(reviewers.couldFulfil())
                ? List.copyOf(reviewers.targets())
                : List.copyOf(reviewers.couldFulfil());
    }
}
