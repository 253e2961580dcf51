package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Circle;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalLife;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * As much of a proposal as has to be watched while something can still come of it by the clock, or by somebody's coming
 * or going. Immutable, and small: there may be many.
 *
 * @param circle whom it depends on; empty when it is no longer open
 * @param unreachable whether its proposer was told last that nobody is there
 * @param addressees who is to answer; empty unless it waits for an answer
 * @param dueAt when time will change it, if it can
 * @param bytes about how much has to be read to decide on it
 */
public record Standing(
        String id,
        String proposer,
        boolean open,
        Circle circle,
        boolean unreachable,
        List<String> addressees,
        Optional<Instant> dueAt,
        int bytes) {
    private static final Circle NOBODY = new Circle(Set.of(), Set.of());

    static Standing of(Proposal proposal, ProposalLife life) {
        Fulfilment call = proposal.fulfilment();
        List<String> addressees = call != null && call.outcome() == Outcome.PENDING ? call.addressees() : List.of();
        return new Standing(
                proposal.id(),
                proposal.proposer(),
                proposal.open(),
                proposal.open() ? life.circle(proposal) : NOBODY,
                proposal.unreachable(),
                addressees,
                proposal.dueAt(),
                proposal.payload().length()
                        + (call == null ? 0 : call.request().payload().length()));
    }

    /** The same with an equal circle, so that many can share one. */
    public Standing sharing(Circle same) {
        return new Standing(id, proposer, open, same, unreachable, addressees, dueAt, bytes);
    }

    /** Whether nothing more can come of it by itself. */
    public boolean settled() {
        return dueAt.isEmpty();
    }

    /** Whether it belongs to what a member made or could decide. */
    public boolean concerns(String member) {
        return open && (proposer.equals(member) || circle.counts(member));
    }

    /** Whether, with those who are here, it is no longer as its proposer was told; grace aside. */
    public boolean needsAttention(Predicate<Circle> reachable, Predicate<String> here) {
        return open
                ? unreachable == reachable.test(circle)
                : !addressees.isEmpty() && addressees.stream().noneMatch(here);
    }
}
