package dev.gavel.mcp.bridge;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.gateway.topic.Topic;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds approved requests to a bridged MCP server that an earlier gateway process left unanswered when it stopped
 * running the bridge. Because the member is connected again, no other component would notice them. Thread-safe.
 */
final class UnansweredRequestFinder {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /** Gives the ledger writer time to store the last envelopes of the earlier process. */
    private static final long DELAY_MILLIS = 3_000;

    private static final int PAGE = 100;

    /** How many of the newest approved proposals are checked. */
    private static final int MAX_PROPOSALS = 500;

    private final ProposalQueries proposalQueries;
    private final Member member;
    private final Instant joinedAt;
    private final BooleanSupplier isOwner;
    private final Consumer<TopicRequest> onFound;

    /**
     * Creates a finder for a member's requests.
     *
     * @param joinedAt when the member joined in this process
     * @param ownerCheck whether this process still owns the bridge
     * @param onFound receives each request
     */
    UnansweredRequestFinder(
            ProposalQueries proposalQueries,
            Member member,
            Instant joinedAt,
            BooleanSupplier ownerCheck,
            Consumer<TopicRequest> onFound) {
        this.proposalQueries = proposalQueries;
        this.member = member;
        this.joinedAt = joinedAt;
        this.isOwner = ownerCheck;
        this.onFound = onFound;
    }

    /** Schedules the search after {@link #DELAY_MILLIS}. */
    @SuppressWarnings("FutureReturnValueIgnored") // if the process ends first, the search is not needed
    void schedule(Topic topic) {
        topic.loop().schedule(() -> loadPage(Optional.empty(), MAX_PROPOSALS), DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void loadPage(Optional<String> cursor, int remaining) {
        var _ = proposalQueries
                .list(member, Optional.of(ProposalState.FULFILLED), Optional.empty(), cursor, PAGE)
                .whenComplete((proposalPage, failure) -> {
                    if (failure != null) {
                        log.warn(
                                "Bridge {}: the calls that an earlier process left unanswered cannot be read: {}",
                                member.id(),
                                failure.toString());
                    } else {
                        proposalPage.ifPresent(page -> check(page, remaining));
                    }
                });
    }

    private void check(ProposalPage proposalPage, int remaining) {
        if (isOwner.getAsBoolean()) {
            proposalPage.proposals().forEach(this::check);
            proposalPage
                    .nextCursor()
                    .filter(next -> remaining > PAGE)
                    .ifPresent(next -> loadPage(Optional.of(next), remaining - PAGE));
        }
    }

    private void check(ProposalView view) {
        Fulfilment call = ProposalSnapshot.of(view.timeline()).fulfilment();
        if (call != null
                && call.outcome() == FulfilmentOutcome.PENDING
                && call.outcomeSince().isBefore(joinedAt)
                && call.addressees().contains(member.id())) {
            onFound.accept(TopicRequest.of(call.fulfilled().storedEnvelope().envelope()));
        }
    }
}
