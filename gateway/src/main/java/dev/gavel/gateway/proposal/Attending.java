package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sees what follows from who is here: whether anybody can take a proposal, and whether anybody is left to answer. */
record Attending(Proposal proposal, Circle circle, Presence presence) {
    /** Somebody who comes and goes all day must not make a proposal's history endless: after so much it stays as it is. */
    private static final int LONGEST_HISTORY = 5_000;

    /** What is to happen by now. */
    Optional<ProposalEvent> now(Instant now) {
        if (proposal.open() && proposal.timeline().size() >= LONGEST_HISTORY) {
            return Optional.empty();
        }
        if (proposal.stateAt(now) == ProposalState.OPEN
                && proposal.unreachable()
                && missing().isEmpty()) {
            return Optional.of(new Reachable(presence.hereOf(circle.couldFulfil())));
        }
        if (due().filter(due -> !now.isBefore(due)).isEmpty() || proposal.stateAt(now) == ProposalState.EXPIRED) {
            return Optional.empty();
        }
        return Optional.of(
                proposal.open() ? new Unreachable(wanted()) : new OutcomeUnknown(OutcomeUnknown.Why.ADDRESSEE_LEFT));
    }

    /** When somebody's absence will count if nobody comes or goes until then. */
    Optional<Instant> due() {
        if (proposal.open()) {
            return proposal.unreachable() ? Optional.empty() : missing();
        }
        Fulfilment call = proposal.fulfilment();
        return call == null || call.outcome() != Outcome.PENDING || presence.anyHere(call.addressees())
                ? Optional.empty()
                : Optional.of(presence.missing(call.addressees()));
    }

    /** From when on nobody who could do it, or no target, is here; empty where both are. */
    private Optional<Instant> missing() {
        Optional<Instant> able = absent(List.copyOf(circle.couldFulfil()));
        Optional<Instant> target =
                circle.targets().isEmpty() ? Optional.empty() : absent(List.copyOf(circle.targets()));
        return able.isPresent() && target.isPresent()
                ? able.filter(at -> at.isBefore(target.get())).or(() -> target)
                : able.or(() -> target);
    }

    private Optional<Instant> absent(List<String> ids) {
        return presence.anyHere(ids) ? Optional.empty() : Optional.of(presence.missing(ids));
    }

    /** Whose coming would change that. */
    private List<String> wanted() {
        return presence.anyHere(circle.couldFulfil())
                ? List.copyOf(circle.targets())
                : List.copyOf(circle.couldFulfil());
    }
}
