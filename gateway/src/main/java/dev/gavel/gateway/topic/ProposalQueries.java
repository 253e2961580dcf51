package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.ApprovalDraft;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalPage;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Answers members' queries about a topic's proposals: a single proposal, a list, recent events, or a long poll for new
 * events. Futures complete on any thread; a failed future means that the ledger cannot be read now, or that the member
 * has too many pending queries. Thread-safe.
 */
public final class ProposalQueries {
    private final TopicProposals proposals;

    ProposalQueries(TopicProposals topicProposals) {
        this.proposals = topicProposals;
    }

    /** Returns a proposal as a member sees it now. */
    public CompletableFuture<Optional<ProposalView>> view(Member member, String id) {
        return proposals.read(member, (proposalReader, viewer) -> proposalReader.view(id, viewer));
    }

    /** As {@link #view(Member, String)}, with the assessment of a drafted approval. */
    public CompletableFuture<Optional<ProposalView>> view(Member member, String id, ApprovalDraft draft) {
        return proposals.read(member, (proposalReader, viewer) -> proposalReader.view(id, draft, viewer));
    }

    /**
     * Returns a proposal with its secret arguments, after it is recorded that the member sees them. Empty if the
     * proposal does not exist, or if the member could not approve it. If the proposal has no secret arguments, nothing
     * is recorded.
     */
    public CompletableFuture<Optional<ProposalView>> reveal(Member member, String id) {
        return view(member, id).thenCompose(found -> {
            if (found.isEmpty() || !found.get().redacted()) {
                return CompletableFuture.completedFuture(found);
            }
            return proposals
                    .recordReveal(id, member)
                    .thenCompose(recorded -> recorded
                            ? proposals.read(
                                    member, (proposalReader, viewer) -> proposalReader.revealedView(id, viewer))
                            : CompletableFuture.completedFuture(Optional.empty()));
        });
    }

    /** Returns a proposal as it may be shown: with markers in place of its secret arguments. */
    public ProposalSnapshot redact(ProposalSnapshot proposalSnapshot) {
        return proposals.redact(proposalSnapshot);
    }

    /** Returns the names by which texts for one reader call the members that a proposal concerns. */
    public MemberNames namesFor(ProposalSnapshot proposalSnapshot, String readerId) {
        return proposals.namesFor(proposalSnapshot, readerId);
    }

    /**
     * Returns the open proposals that a member could decide, as it sees them now: oldest first, at most {@code most}.
     */
    public CompletableFuture<List<ProposalView>> awaitingDecisionOf(Member member, int most) {
        return proposals
                .openProposalIdsFor(member, most)
                .thenCompose(ids -> proposals.read(
                        member,
                        (proposalReader, viewer) -> ids.stream()
                                .flatMap(id -> proposalReader.view(id, viewer).stream())
                                .filter(view -> view.state() == ProposalState.OPEN)
                                .toList()));
    }

    /**
     * Returns the most recent events after a seq that a member can read, in order: at most {@code most}, and fewer if
     * they are very long.
     *
     * @param after 0 for the most recent events of all
     */
    public CompletableFuture<List<RecentProposalEvent>> recentEvents(Member member, long after, int most) {
        return proposals.read(
                member, (proposalReader, viewer) -> proposalReader.recentEvents(after, most, viewer.member()));
    }

    /** The number of open proposals that a member could decide. */
    public CompletableFuture<Integer> countAwaitingDecisionOf(Member member) {
        return proposals.openProposalIdsFor(member, Integer.MAX_VALUE).thenApply(List::size);
    }

    /**
     * Records that a process now forwards a proposal's result to its proposer. Of all callers, in any process, exactly
     * one gets true, until the result is marked as not forwarded; none does while the proposal has no result.
     */
    public CompletableFuture<Boolean> markForwarded(String proposal, String process) {
        return proposals.markForwarded(proposal, process);
    }

    /**
     * As {@link #markForwarded}, for a process at which clients waited when the result arrived: they get it even if
     * another process forwarded it, too. Completes with false if this process forwarded it before.
     */
    public CompletableFuture<Boolean> markAlsoForwarded(String proposal, String process) {
        return proposals.markAlsoForwarded(proposal, process);
    }

    /**
     * Records that the MCP client that made the call waits at this process now. A held approval takes effect. Called on
     * the topic's loop. The future fails if the ledger is unavailable.
     */
    public CompletableFuture<Void> recordCallerWaits(String proposal, String process) {
        return proposals.recordCallerWaits(proposal, process);
    }

    /**
     * Records that the MCP client that made the call lost its connection at a process, and may call again. Until it does,
     * approvals are held. The future fails if the ledger is unavailable.
     *
     * @param linger how long the client has to call again; empty until the proposal expires
     */
    public CompletableFuture<Void> recordCallerDisconnected(
            String proposal, String process, Optional<Duration> linger) {
        return proposals.recordCallerDisconnected(proposal, process, linger);
    }

    /**
     * Records that a proposal's result was not forwarded, because the proposer had stopped waiting. Does nothing if
     * another process has forwarded it.
     */
    public void markNotForwarded(String proposal, String reason) {
        proposals.markNotForwarded(proposal, reason);
    }

    /**
     * Revokes that a process forwarded a proposal's result, because the proposer had stopped waiting there. If another
     * process forwarded it too, it counts as forwarded nevertheless.
     */
    public void revokeForwarded(String proposal, String process, String reason) {
        proposals.revokeForwarded(proposal, process, reason);
    }

    /** Returns a proposal as a member sees it now, as JSON. */
    public CompletableFuture<Optional<byte[]>> viewJson(Member member, String id) {
        return proposals.read(
                member,
                (proposalReader, viewer) -> proposalReader.view(id, viewer).map(ProposalView::toJson));
    }

    /**
     * Returns the topic's proposals as a member sees them now, newest first, as JSON.
     *
     * @param cursor where an earlier page ended; the result is empty if the cursor is not valid
     */
    public CompletableFuture<Optional<byte[]>> listJson(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return proposals.read(
                member,
                (proposalReader, viewer) ->
                        proposalReader.list(state, from, cursor, limit, viewer).map(ProposalPage::toJson));
    }

    /** As {@link #listJson}, but returns objects. */
    public CompletableFuture<Optional<ProposalPage>> list(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return proposals.read(
                member, (proposalReader, viewer) -> proposalReader.list(state, from, cursor, limit, viewer));
    }

    /**
     * Returns the messages about proposals after a seq, or from now on; if there are none, waits for the next. The
     * member counts as a participant for a while. The caller may cancel the future.
     *
     * @param revocableAccessGrant the grant with which the member polls; revoking it ends the wait
     */
    public CompletableFuture<LongPollResult> poll(
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            TopicConnection.SubscribeOptions subscribeOptions,
            EnvelopeSyntax syntaxVersion,
            Duration wait) {
        return proposals.longPolls().poll(membership, revocableAccessGrant, subscribeOptions, syntaxVersion, wait);
    }
}
