package dev.gavel.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.EligibleReviewers;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PendingProposalIndexTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final PendingProposalIndex pendingProposalIndex = new PendingProposalIndex();

    private static InMemoryPendingProposal open(String id, Instant due, boolean unreachable) {
        EligibleReviewers eligibleReviewers = new EligibleReviewers(Set.of("alice", "bob"), Set.of());
        return new InMemoryPendingProposal(
                id, "agent", true, eligibleReviewers, unreachable, List.of(), Optional.of(due), 10);
    }

    private static InMemoryPendingProposal ended(String id) {
        return new InMemoryPendingProposal(
                id, "agent", false, new EligibleReviewers(Set.of(), Set.of()), false, List.of(), Optional.empty(), 10);
    }

    @Test
    void whatIsDueFirstIsTakenFirst() {
        pendingProposalIndex.update(
                List.of(open("late", NOON.plusSeconds(2), false), open("soon", NOON.plusSeconds(1), false)));
        assertThat(pendingProposalIndex.nextDue()).contains(NOON.plusSeconds(1));
        assertThat(pendingProposalIndex.pollDue(NOON)).isEmpty();
        assertThat(pendingProposalIndex.pollDue(NOON.plusSeconds(5)))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("soon", "late");
        assertThat(pendingProposalIndex.nextDue()).isEmpty();
    }

    @Test
    void whatHasEndedIsDueNoMore() {
        pendingProposalIndex.update(List.of(open("p", NOON, false)));
        pendingProposalIndex.update(List.of(ended("p")));
        assertThat(pendingProposalIndex.nextDue()).isEmpty();
        assertThat(pendingProposalIndex.openCountOf("agent")).isZero();
        assertThat(pendingProposalIndex.all()).isEmpty();
    }

    @Test
    void onlyWhatDidNotChangeIsPutBack() {
        pendingProposalIndex.update(List.of(open("same", NOON, false), open("gone", NOON, false)));
        List<InMemoryPendingProposal> taken = pendingProposalIndex.pollDue(NOON);
        pendingProposalIndex.update(List.of(ended("gone")));
        assertThat(pendingProposalIndex.requeue(taken)).isTrue();
        assertThat(pendingProposalIndex.pollDue(NOON))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("same");
        pendingProposalIndex.update(List.of(ended("same")));
        assertThat(pendingProposalIndex.requeue(taken)).isFalse();
    }

    @Test
    void oneTurnIsNotTooLarge() {
        for (int i = 0; i < 500; i++) {
            pendingProposalIndex.update(List.of(open("p" + i, NOON, false)));
        }
        assertThat(pendingProposalIndex.pollDue(NOON)).hasSize(200);
        assertThat(pendingProposalIndex.openCountOf("agent")).isEqualTo(500);
    }

    @Test
    void whoIsHereDecidesWhatNeedsAttention() {
        pendingProposalIndex.update(List.of(open("told", NOON, true), open("untold", NOON, false)));
        assertThat(pendingProposalIndex.withChangedPresence(pendingProposalIndex.all(), id -> false))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("untold");
        assertThat(pendingProposalIndex.withChangedPresence(pendingProposalIndex.all(), "bob"::equals))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("told");
    }

    @Test
    void aNewcomerIsToldOfTheOldestFirst() {
        pendingProposalIndex.update(
                List.of(open("a", NOON, false), open("b", NOON, false), open("c", NOON, false), ended("d")));
        assertThat(pendingProposalIndex.findConcerning("bob", 2))
                .isEqualTo(new PendingProposalIndex.ConcernedProposals(List.of("a", "b"), 3));
        assertThat(pendingProposalIndex.findConcerning("agent", 9).count()).isEqualTo(3);
        assertThat(pendingProposalIndex.findConcerning("carol", 9).count()).isZero();
    }
}
