package dev.gavel.gateway;

import dev.gavel.gateway.docket.Happening;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.Spelling;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What members can ask about a topic's proposals. Answers come on whatever thread has them; a failed one means that the
 * ledger cannot be read now. Thread-safe.
 */
public final class Records {
    private final Proceedings proceedings;

    Records(Proceedings proceedings) {
        this.proceedings = proceedings;
    }

    /** A proposal as a member sees it now. */
    public CompletableFuture<Optional<ProposalView>> view(Member member, String id) {
        return proceedings.read(member, (archive, onlooker) -> archive.view(id, onlooker));
    }

    /** The open proposals that a member could decide, as they see them now: the oldest first, at most so many. */
    public CompletableFuture<List<ProposalView>> waitingOn(Member member, int most) {
        return proceedings
                .decidedBy(member, most)
                .thenCompose(ids -> proceedings.read(
                        member,
                        (archive, onlooker) -> ids.stream()
                                .flatMap(id -> archive.view(id, onlooker).stream())
                                .filter(view -> view.state() == ProposalState.OPEN)
                                .toList()));
    }

    /**
     * The last of what happened to the topic's proposals after a seq, in order: at most so many, and fewer where they are
     * very long.
     *
     * @param after 0 for whatever was last
     */
    public CompletableFuture<List<Happening>> lately(Member member, long after, int most) {
        return proceedings.read(member, (archive, onlooker) -> archive.lately(after, most));
    }

    /** How many open proposals a member could decide. */
    public CompletableFuture<Integer> countWaitingOn(Member member) {
        return proceedings.decidedBy(member, Integer.MAX_VALUE).thenApply(List::size);
    }

    /**
     * Notes that what came of a proposal is handed on to its proposer now, who was told to ask for it again. Of all who ask
     * this, in whatever process, one alone is told that it is so; nobody where nothing came of it yet.
     */
    public CompletableFuture<Boolean> forwarded(String proposal) {
        return proceedings.forwarded(proposal);
    }

    /** Notes that what came of a proposal reached nobody, because its proposer had stopped waiting. */
    public void notForwarded(String proposal, String why) {
        proceedings.notForwarded(proposal, why);
    }

    /** A proposal as a member sees it now, as JSON. */
    public CompletableFuture<Optional<byte[]>> proposal(Member member, String id) {
        return view(member, id).thenApply(found -> found.map(ProposalView::toJson));
    }

    /**
     * The topic's proposals as a member sees them now, the newest first, as JSON.
     *
     * @param cursor where an earlier listing ended; there is no answer where none ever ended there
     */
    public CompletableFuture<Optional<byte[]>> proposals(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return list(member, state, from, cursor, limit).thenApply(found -> found.map(Listing::toJson));
    }

    /** As {@link #proposals}, to be read by a program. */
    public CompletableFuture<Optional<Listing>> list(
            Member member, Optional<ProposalState> state, Optional<String> from, Optional<String> cursor, int limit) {
        return proceedings.read(member, (archive, onlooker) -> archive.list(state, from, cursor, limit, onlooker));
    }

    /**
     * What happened to proposals after a seq, or from now on; where that is nothing, waits for something to happen. Makes
     * the member a participant for a while. Whoever asked may cancel it.
     *
     * @param warrant what they came with; nothing is waited for once it is no longer good
     */
    public CompletableFuture<Polled> poll(
            Membership membership, Warrant warrant, Connection.Wish wish, Spelling spelling, Duration wait) {
        return proceedings.polls().ask(membership, warrant, wish, spelling, wait);
    }
}
