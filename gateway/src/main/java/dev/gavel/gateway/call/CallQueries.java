package dev.gavel.gateway.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalVisibility;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Answers members' queries about a topic's calls. A failed future means that the ledger cannot be read now.
 * Thread-safe.
 */
public final class CallQueries {
    private final CallRecordReader reader;
    private final ProposalVisibility visibility;
    private final Executor ioExecutor;

    /**
     * Creates the queries of a topic.
     *
     * @param visibility which members can read the calls of others
     * @param ioExecutor runs tasks that block on the disk
     */
    public CallQueries(CallRecordReader callRecordReader, ProposalVisibility visibility, Executor ioExecutor) {
        this.reader = callRecordReader;
        this.visibility = visibility;
        this.ioExecutor = ioExecutor;
    }

    /**
     * Returns the topic's calls that a member may read, newest first.
     *
     * @param cursor where an earlier page ended; the result is empty if the cursor is not valid
     */
    public CompletableFuture<Optional<CallPage>> list(
            Member member, CallQuery query, Optional<String> cursor, int limit) {
        CallQuery allowed = visibility == ProposalVisibility.INVOLVED ? query.involving(member.id()) : query;
        return CompletableFuture.supplyAsync(() -> reader.page(allowed, cursor, limit), ioExecutor);
    }
}
