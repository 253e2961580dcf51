package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Derives from the members' presence whether an open proposal can currently be approved: a member that could fulfil it
 * must be present and, if the proposal has targets, one of the targets must be present.
 */
public record ProposalReachability(EligibleReviewers reviewers, PresenceSnapshot presenceSnapshot) {
    /**
     * Returns the time from which no member that could fulfil it, or no target, counts as present: the end of the grace
     * period of the last one to leave. Empty if both are present.
     */
    public Optional<Instant> unreachableFrom() {
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

    /** Returns the notice that tells the proposer of a proposal which reviewers are present, or which are missing. */
    public SystemMessage.ProposalMessage toNotice(String proposal) {
        if (unreachableFrom().isEmpty()) {
            return new SystemMessage.Reachable(proposal, presenceSnapshot.presentAmong(reviewers.couldFulfil()));
        }
        return new SystemMessage.Unreachable(
                proposal,
                presenceSnapshot.anyPresent(reviewers.couldFulfil())
                        ? List.copyOf(reviewers.targets())
                        : List.copyOf(reviewers.couldFulfil()));
    }
}
