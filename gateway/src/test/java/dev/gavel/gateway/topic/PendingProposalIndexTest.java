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

    private static InMemoryPendingProposal open(String id, Instant due) {
        EligibleReviewers eligibleReviewers = new EligibleReviewers(Set.of("alice", "bob"), Set.of());
        return new InMemoryPendingProposal(
                id, "agent", true, false, eligibleReviewers, List.of(), Optional.empty(), Optional.of(due), 10);
    }

    private static InMemoryPendingProposal ended(String id) {
        return new InMemoryPendingProposal(
                id,
                "agent",
                false,
                false,
                new EligibleReviewers(Set.of(), Set.of()),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                10);
    }

    @Test
    void whatIsDueFirstIsTakenFirst() {
        pendingProposalIndex.update(List.of(open("late", NOON.plusSeconds(2)), open("soon", NOON.plusSeconds(1))));
        assertThat(pendingProposalIndex.nextDue()).contains(NOON.plusSeconds(1));
        assertThat(pendingProposalIndex.pollDue(NOON)).isEmpty();
        assertThat(pendingProposalIndex.pollDue(NOON.plusSeconds(5)))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("soon", "late");
        assertThat(pendingProposalIndex.nextDue()).isEmpty();
    }

    @Test
    void whatHasEndedIsDueNoMore() {
        pendingProposalIndex.update(List.of(open("p", NOON)));
        pendingProposalIndex.update(List.of(ended("p")));
        assertThat(pendingProposalIndex.nextDue()).isEmpty();
        assertThat(pendingProposalIndex.openCountOf("agent")).isZero();
        assertThat(pendingProposalIndex.all()).isEmpty();
    }

    @Test
    void onlyWhatDidNotChangeIsPutBack() {
        pendingProposalIndex.update(List.of(open("same", NOON), open("gone", NOON)));
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
            pendingProposalIndex.update(List.of(open("p" + i, NOON)));
        }
        assertThat(pendingProposalIndex.pollDue(NOON)).hasSize(200);
        assertThat(pendingProposalIndex.openCountOf("agent")).isEqualTo(500);
    }

    @Test
    void whoIsHereDecidesWhatNeedsAttention() {
        pendingProposalIndex.update(List.of(open("told", NOON), open("untold", NOON)));
        pendingProposalIndex.setUnreachable("told", true);
        assertThat(pendingProposalIndex.withChangedReachability(pendingProposalIndex.all(), id -> false))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("untold");
        assertThat(pendingProposalIndex.withChangedReachability(pendingProposalIndex.all(), "bob"::equals))
                .extracting(InMemoryPendingProposal::id)
                .containsExactly("told");
        pendingProposalIndex.update(List.of(open("told", NOON.plusSeconds(1))));
        assertThat(pendingProposalIndex.isUnreachable("told")).isTrue();
        assertThat(pendingProposalIndex.counts().unreachable()).isEqualTo(1);
        pendingProposalIndex.update(List.of(ended("told")));
        assertThat(pendingProposalIndex.counts().unreachable()).isZero();
    }

    @Test
    void aNewcomerIsToldOfTheOldestFirst() {
        pendingProposalIndex.update(List.of(open("a", NOON), open("b", NOON), open("c", NOON), ended("d")));
        assertThat(pendingProposalIndex.findConcerning("bob", 2))
                .isEqualTo(new PendingProposalIndex.ConcernedProposals(List.of("a", "b"), 3));
        assertThat(pendingProposalIndex.findConcerning("agent", 9).count()).isEqualTo(3);
        assertThat(pendingProposalIndex.findConcerning("carol", 9).count()).isZero();
    }
}
