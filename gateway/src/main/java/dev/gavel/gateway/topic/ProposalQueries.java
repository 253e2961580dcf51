package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.mcpx.SyntaxVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers members' queries about a topic's proposals: one, a list, recent events, a long poll. Answers come on whatever
 * thread has them; a failed one means that the ledger cannot be read now. Thread-safe.
 */
public final class ProposalQueries {
    private final TopicProposals proposals;

    ProposalQueries(TopicProposals topicProposals) {
        this.proposals = topicProposals;
    }

    /** A proposal as a member sees it now. */
    public CompletableFuture<Optional<ProposalView>> view(Member member, String id) {
        return proposals.read(member, (proposalReader, viewer) -> proposalReader.view(id, viewer));
    }

    /** The open proposals that a member could decide, as they see them now: the oldest first, at most so many. */
    public CompletableFuture<List<ProposalView>> awaitingDecisionOf(Member member, int most) {
        return proposals
                .decidableBy(member, most)
                .thenCompose(ids -> proposals.read(
                        member,
                        (proposalReader, viewer) -> ids.stream()
                                .flatMap(id -> proposalReader.view(id, viewer).stream())
                                .filter(view -> view.state() == ProposalState.OPEN)
                                .toList()));
    }

    /**
     * The last of what happened to the topic's proposals after a seq, in order: at most so many, and fewer where they are
     * very long.
     *
     * @param after 0 for whatever was last
     */
    public CompletableFuture<List<RecentProposalEvent>> recentEvents(Member member, long after, int most) {
        return proposals.read(member, (proposalReader, viewer) -> proposalReader.recentEvents(after, most));
    }

    /** How many open proposals a member could decide. */
    public CompletableFuture<Integer> countAwaitingDecisionOf(Member member) {
        return proposals.decidableBy(member, Integer.MAX_VALUE).thenApply(List::size);
    }

    /**
     * Notes that what came of a proposal is handed on to its proposer now, who was told to ask for it again. Of all who ask
     * this, in whatever process, one alone is told that it is so; nobody where nothing came of it yet.
     */
    public CompletableFuture<Boolean> markForwarded(String proposal) {
        return proposals.markForwarded(proposal);
    }

    /** Notes that what came of a proposal reached nobody, because its proposer had stopped waiting. */
    public void markNotForwarded(String proposal, String why) {
        proposals.markNotForwarded(proposal, why);
    }

    /** A proposal as a member sees it now, as JSON. */
    public CompletableFuture<Optional<byte[]>> viewJson(Member member, String id) {
        return view(member, id).thenApply(found -> found.map(ProposalView::toJson));
    }

    /**
     * The topic's proposals as a member sees them now, the newest first, as JSON.
     *
     * @param cursor where an earlier listing ended; there is no answer where none ever ended there
     */
    public CompletableFuture<Optional<byte[]>> listJson(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return list(member, state, from, cursor, limit).thenApply(found -> found.map(ProposalPage::toJson));
    }

    /** As {@link #listJson}, to be read by a program. */
    public CompletableFuture<Optional<ProposalPage>> list(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return proposals.read(
                member, (proposalReader, viewer) -> proposalReader.list(state, from, cursor, limit, viewer));
    }

    /**
     * What happened to proposals after a seq, or from now on; where that is nothing, waits for something to happen. Makes
     * the member a participant for a while. Whoever asked may cancel it.
     *
     * @param revocableAccessGrant what they came with; nothing is waited for once it is no longer good
     */
    public CompletableFuture<PollResult> poll(
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            SyntaxVersion syntaxVersion,
            Duration wait) {
        return proposals.longPolls().poll(membership, revocableAccessGrant, subscribeOptions, syntaxVersion, wait);
    }
}
