package dev.gavel.gateway.topic;

import dev.gavel.gateway.metrics.TopicMetricsSnapshot.ProposalCounts;
import dev.gavel.gateway.proposal.EligibleReviewers;
import dev.gavel.gateway.store.InMemoryPendingProposal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Indexes a topic's undecided and unanswered proposals in memory by due time, proposer and eligible reviewer. All of it
 * can be rebuilt from the ledger. Confined to the topic's loop.
 */
final class PendingProposalIndex {
    private static final int MAX_SHARED_REVIEWERS = 256;

    /** In the order in which they were proposed. */
    private final Map<String, InMemoryPendingProposal> proposals = new LinkedHashMap<>();

    private final Map<String, Integer> openByProposer = new HashMap<>();
    private final NavigableSet<Due> due = new TreeSet<>();

    /**
     * Recently used reviewer sets, shared between proposals: most proposals have the same reviewers, and there may be
     * many proposals and many reviewers.
     */
    private final Map<EligibleReviewers, EligibleReviewers> sharedReviewers = new LinkedHashMap<>();

    /** The ids of the requests that fulfil proposals and are not answered yet. */
    private final Set<String> pendingRequests = new HashSet<>();

    /** The open proposals of which the last notice to the proposer said that no reviewer is present. */
    private final Set<String> unreachable = new HashSet<>();

    private int openCount;

    private record Due(Instant at, String id) implements Comparable<Due> {
        private static final Comparator<Due> ORDER =
                Comparator.comparing(Due::at).thenComparing(Due::id);

        static Optional<Due> of(InMemoryPendingProposal inMemoryPendingProposal) {
            return inMemoryPendingProposal.dueAt().map(at -> new Due(at, inMemoryPendingProposal.id()));
        }

        @Override
        public int compareTo(Due other) {
            return ORDER.compare(this, other);
        }
    }

    /** Removes all proposals. */
    void clear() {
        proposals.clear();
        openByProposer.clear();
        due.clear();
        openCount = 0;
        unreachable.clear();
        pendingRequests.clear();
    }

    /** Updates the index with the current state of proposals. */
    void update(Collection<InMemoryPendingProposal> changed) {
        changed.forEach(this::update);
    }

    private void update(InMemoryPendingProposal inMemoryPendingProposal) {
        InMemoryPendingProposal before = inMemoryPendingProposal.isFinal()
                ? proposals.remove(inMemoryPendingProposal.id())
                : proposals.put(
                        inMemoryPendingProposal.id(),
                        inMemoryPendingProposal.withReviewers(intern(inMemoryPendingProposal.reviewers())));
        boolean wasOpen = before != null && before.open();
        openCount += (inMemoryPendingProposal.open() ? 1 : 0) - (wasOpen ? 1 : 0);
        if (!inMemoryPendingProposal.open()) {
            unreachable.remove(inMemoryPendingProposal.id());
        }
        if (wasOpen != inMemoryPendingProposal.open()) {
            openByProposer.merge(
                    inMemoryPendingProposal.proposer(),
                    inMemoryPendingProposal.open() ? 1 : -1,
                    (a, b) -> a + b == 0 ? null : a + b);
        }
        if (before != null) {
            Due.of(before).ifPresent(due::remove);
            before.requestId().ifPresent(pendingRequests::remove);
        }
        Due.of(inMemoryPendingProposal).ifPresent(due::add);
        inMemoryPendingProposal.requestId().ifPresent(pendingRequests::add);
    }

    /** Whether a request that fulfils a proposal has this id and is not answered yet. */
    boolean awaitsAnswerTo(String requestId) {
        return pendingRequests.contains(requestId);
    }

    Optional<InMemoryPendingProposal> find(String id) {
        return Optional.ofNullable(proposals.get(id));
    }

    /** Whether the last notice to the proposer said that no reviewer is present. */
    boolean isUnreachable(String id) {
        return unreachable.contains(id);
    }

    /** The open proposals of which the last notice to the proposer said that no reviewer is present. */
    List<InMemoryPendingProposal> unreachable() {
        return unreachable.stream().flatMap(id -> find(id).stream()).toList();
    }

    /** Stores what the last notice to the proposer of an open proposal said. */
    void setUnreachable(String id, boolean none) {
        if (none) {
            unreachable.add(id);
        } else {
            unreachable.remove(id);
        }
    }

    /** The numbers of unfinished proposals. */
    ProposalCounts counts() {
        return new ProposalCounts(openCount, unreachable.size(), proposals.size() - openCount);
    }

    private EligibleReviewers intern(EligibleReviewers eligibleReviewers) {
        EligibleReviewers known = sharedReviewers.putIfAbsent(eligibleReviewers, eligibleReviewers);
        if (sharedReviewers.size() > MAX_SHARED_REVIEWERS) {
            sharedReviewers.remove(sharedReviewers.keySet().iterator().next());
        }
        return known == null ? eligibleReviewers : known;
    }

    /** The number of open proposals. */
    int openCount() {
        return openByProposer.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The number of a member's open proposals. */
    int openCountOf(String member) {
        return openByProposer.getOrDefault(member, 0);
    }

    /**
     * The open proposals that a member made or could decide.
     *
     * @param ids the oldest of them, up to the requested number
     * @param count the total number
     */
    record ConcernedProposals(List<String> ids, int count) {}

    ConcernedProposals findConcerning(String member, int limit) {
        List<String> ids = new ArrayList<>();
        int count = 0;
        for (InMemoryPendingProposal inMemoryPendingProposal : proposals.values()) {
            if (inMemoryPendingProposal.isOpenAndConcerns(member) && count++ < limit) {
                ids.add(inMemoryPendingProposal.id());
            }
        }
        return new ConcernedProposals(ids, count);
    }

    /** Returns the open proposals that a member could decide, oldest first, at most {@code limit}. */
    List<String> decidableBy(String member, int limit) {
        return proposals.values().stream()
                .filter(inMemoryPendingProposal -> inMemoryPendingProposal.awaitsDecisionOf(member))
                .map(InMemoryPendingProposal::id)
                .limit(limit)
                .toList();
    }

    /** The earliest due time. */
    Optional<Instant> nextDue() {
        return due.isEmpty() ? Optional.empty() : Optional.of(due.first().at());
    }

    /**
     * Removes and returns the proposals that are due by now, up to one batch. The caller has to process them or {@link
     * #requeue} them.
     */
    List<InMemoryPendingProposal> pollDue(Instant now) {
        SweepBatch taken = new SweepBatch();
        while (!taken.isFull() && nextDue().filter(at -> !at.isAfter(now)).isPresent()) {
            InMemoryPendingProposal inMemoryPendingProposal =
                    proposals.get(due.removeFirst().id());
            if (inMemoryPendingProposal != null) {
                taken.add(inMemoryPendingProposal);
            }
        }
        return taken.proposals();
    }

    /** Puts back the proposals that have not changed since they were taken. Returns whether there were any. */
    boolean requeue(Collection<InMemoryPendingProposal> taken) {
        boolean any = false;
        for (InMemoryPendingProposal inMemoryPendingProposal : taken) {
            if (inMemoryPendingProposal.equals(proposals.get(inMemoryPendingProposal.id()))) {
                any |= Due.of(inMemoryPendingProposal).filter(due::add).isPresent();
            }
        }
        return any;
    }

    /** All proposals, oldest first. */
    Collection<InMemoryPendingProposal> all() {
        return proposals.values();
    }

    /**
     * Returns the open proposals whose last notice to the proposer no longer matches the current presence, ignoring the
     * grace period.
     */
    List<InMemoryPendingProposal> withChangedReachability(
            Collection<InMemoryPendingProposal> candidates, Predicate<String> isPresent) {
        IdentityHashMap<EligibleReviewers, Boolean> reachable = new IdentityHashMap<>();
        return candidates.stream()
                .filter(proposal -> proposal.open() && !proposal.approved())
                .filter(proposal -> isUnreachable(proposal.id())
                        == reachable.computeIfAbsent(
                                proposal.reviewers(), reviewers -> isReachable(reviewers, isPresent)))
                .toList();
    }

    /** Returns the proposals that wait for the answer of members of which none is present. */
    List<InMemoryPendingProposal> awaitingAbsentMembers(
            Collection<InMemoryPendingProposal> candidates, Predicate<String> isPresent) {
        return candidates.stream()
                .filter(proposal -> proposal.awaitsAbsentMembers(isPresent))
                .toList();
    }

    private static boolean isReachable(EligibleReviewers eligibleReviewers, Predicate<String> isPresent) {
        return eligibleReviewers.couldFulfil().stream().anyMatch(isPresent)
                && (eligibleReviewers.targets().isEmpty()
                        || eligibleReviewers.targets().stream().anyMatch(isPresent));
    }
}
