package dev.gavel.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.EligibleReviewers;
import dev.gavel.gateway.store.TrackedProposal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrackedProposalIndexTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final TrackedProposalIndex trackedProposalIndex = new TrackedProposalIndex();

    private static TrackedProposal open(String id, Instant due, boolean unreachable) {
        EligibleReviewers eligibleReviewers = new EligibleReviewers(Set.of("alice", "bob"), Set.of());
        return new TrackedProposal(id, "agent", true, eligibleReviewers, unreachable, List.of(), Optional.of(due), 10);
    }

    private static TrackedProposal ended(String id) {
        return new TrackedProposal(
                id, "agent", false, new EligibleReviewers(Set.of(), Set.of()), false, List.of(), Optional.empty(), 10);
    }

    @Test
    void whatIsDueFirstIsTakenFirst() {
        trackedProposalIndex.update(
                List.of(open("late", NOON.plusSeconds(2), false), open("soon", NOON.plusSeconds(1), false)));
        assertThat(trackedProposalIndex.nextDue()).contains(NOON.plusSeconds(1));
        assertThat(trackedProposalIndex.pollDue(NOON)).isEmpty();
        assertThat(trackedProposalIndex.pollDue(NOON.plusSeconds(5)))
                .extracting(TrackedProposal::id)
                .containsExactly("soon", "late");
        assertThat(trackedProposalIndex.nextDue()).isEmpty();
    }

    @Test
    void whatHasEndedIsDueNoMore() {
        trackedProposalIndex.update(List.of(open("p", NOON, false)));
        trackedProposalIndex.update(List.of(ended("p")));
        assertThat(trackedProposalIndex.nextDue()).isEmpty();
        assertThat(trackedProposalIndex.openCountOf("agent")).isZero();
        assertThat(trackedProposalIndex.all()).isEmpty();
    }

    @Test
    void onlyWhatDidNotChangeIsPutBack() {
        trackedProposalIndex.update(List.of(open("same", NOON, false), open("gone", NOON, false)));
        List<TrackedProposal> taken = trackedProposalIndex.pollDue(NOON);
        trackedProposalIndex.update(List.of(ended("gone")));
        assertThat(trackedProposalIndex.requeue(taken)).isTrue();
        assertThat(trackedProposalIndex.pollDue(NOON))
                .extracting(TrackedProposal::id)
                .containsExactly("same");
        trackedProposalIndex.update(List.of(ended("same")));
        assertThat(trackedProposalIndex.requeue(taken)).isFalse();
    }

    @Test
    void oneTurnIsNotTooLarge() {
        for (int i = 0; i < 500; i++) {
            trackedProposalIndex.update(List.of(open("p" + i, NOON, false)));
        }
        assertThat(trackedProposalIndex.pollDue(NOON)).hasSize(200);
        assertThat(trackedProposalIndex.openCountOf("agent")).isEqualTo(500);
    }

    @Test
    void whoIsHereDecidesWhatNeedsAttention() {
        trackedProposalIndex.update(List.of(open("told", NOON, true), open("untold", NOON, false)));
        assertThat(trackedProposalIndex.needingAttention(trackedProposalIndex.all(), id -> false))
                .extracting(TrackedProposal::id)
                .containsExactly("untold");
        assertThat(trackedProposalIndex.needingAttention(trackedProposalIndex.all(), "bob"::equals))
                .extracting(TrackedProposal::id)
                .containsExactly("told");
    }

    @Test
    void aNewcomerIsToldOfTheOldestFirst() {
        trackedProposalIndex.update(
                List.of(open("a", NOON, false), open("b", NOON, false), open("c", NOON, false), ended("d")));
        assertThat(trackedProposalIndex.findConcerning("bob", 2))
                .isEqualTo(new TrackedProposalIndex.ConcernedProposals(List.of("a", "b"), 3));
        assertThat(trackedProposalIndex.findConcerning("agent", 9).count()).isEqualTo(3);
        assertThat(trackedProposalIndex.findConcerning("carol", 9).count()).isZero();
    }
}
