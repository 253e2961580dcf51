package dev.gavel.gateway.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.ledger.executor.FairExecutor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Answers members' queries about a topic's calls. A failed future means that the ledger cannot be read now.
 * Thread-safe.
 */
public final class CallQueries {
    private final CallRecordReader reader;
    private final ProposalVisibility visibility;
    private final Supplier<MemberNames> names;
    private final RunNames runNames;
    private final FairExecutor ioExecutor;

    /** Looks up the names of the members that an approved call concerns; may block on the disk. */
    public interface RunNames {
        /** Returns the names by which texts for a reader call the caller of a proposal's approved call. */
        MemberNames find(String proposal, String caller, String reader);
    }

    /**
     * Creates the queries of a topic.
     *
     * @param visibility which members can read the calls of others
     * @param names the names of all members
     * @param runNames the names for a reader that may not be allowed to learn who approved a call
     * @param ioExecutor runs tasks that block on the disk
     */
    public CallQueries(
            CallRecordReader callRecordReader,
            ProposalVisibility visibility,
            Supplier<MemberNames> names,
            RunNames runNames,
            FairExecutor ioExecutor) {
        this.reader = callRecordReader;
        this.visibility = visibility;
        this.names = names;
        this.runNames = runNames;
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
        UnaryOperator<CallRecord.Called> shown = called -> withCallerAsShown(called, member.id());
        return ioExecutor.submit(
                member.id(), () -> reader.page(allowed, shown, cursor, limit).map(page -> page.withNames(names.get())));
    }

    /** Replaces the caller of an approved call if the reader must not learn who approved it. */
    private CallRecord.Called withCallerAsShown(CallRecord.Called called, String readerId) {
        String proposal = called.proposal();
        return proposal == null
                ? called
                : called.withCaller(
                        runNames.find(proposal, called.by(), readerId).id(called.by()));
    }
}
