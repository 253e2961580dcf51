package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.call.Call;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Progress;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request that is being answered. Confined to the topic's loop. */
final class Open implements Client {
    private final Question question;
    private final Caller caller;
    private final Visitor visitor;
    private final Answering out;
    private final Runnable revoked;
    private final Tasks tasks;
    private final @Nullable Progress progress;
    private @Nullable Call call;
    private @Nullable Listening listening;
    private @Nullable String handed;

    /**
     * A request that has just come.
     *
     * @param streams whether the client can be told anything before the answer
     * @param revoked gives it up, on the topic's loop, when what its client came with is no longer good
     */
    Open(
            Question question,
            Caller caller,
            Visitor visitor,
            Answering out,
            boolean streams,
            Tasks tasks,
            Runnable revoked) {
        this.question = question;
        this.caller = caller;
        this.visitor = visitor;
        this.out = out;
        this.tasks = tasks;
        this.revoked = revoked;
        this.progress = streams ? Progress.of(question.params()) : null;
        visitor.warrant().hold(revoked);
    }

    Question question() {
        return question;
    }

    Caller caller() {
        return caller;
    }

    @Override
    public String id() {
        return question.id();
    }

    @Override
    public Answering out() {
        return out;
    }

    @Override
    public @Nullable Progress progress() {
        return progress;
    }

    @Override
    public void placed(Call placed) {
        call = placed;
    }

    /** The call that is under way for it; null where there is none. */
    @Nullable
    Call call() {
        return call;
    }

    /** What it is told of for as long as it is open; null where it does not listen. */
    @Nullable
    Listening listening() {
        return listening;
    }

    void listen(Listening what) {
        listening = what;
    }

    @Override
    public void settle(Message answer) {
        if (answer instanceof Message.Failure failure && failure.code() == RpcError.METHOD_NOT_FOUND.code()) {
            out.refuse(Sink.Fault.NO_SUCH_METHOD, failure);
        } else if (answer instanceof Message.Failure failure && malformed(failure.code())) {
            out.refuse(Sink.Fault.MALFORMED, failure);
        } else {
            out.settle(answer);
        }
        release();
    }

    private static boolean malformed(long code) {
        return code == RpcError.HEADER_MISMATCH.code() || code == RpcError.MISSING_CAPABILITY.code();
    }

    @Override
    public void done(Call over) {
        release();
    }

    @Override
    public boolean takesProposals(String method) {
        return question.knowsTasks() && Tasks.CALL.equals(method);
    }

    @Override
    public void proposed(String proposal) {
        handed = proposal;
        tasks.hand(caller, proposal, this);
    }

    /** The task that it was answered with, if it was. */
    Optional<String> handed() {
        return Optional.ofNullable(handed);
    }

    /** Its reader has gone. */
    void giveUp(String why) {
        Call running = call;
        if (running != null && !out.over()) {
            running.cancel(why);
        }
        out.end();
        close();
    }

    private void close() {
        if (listening != null) {
            listening.close();
        }
        release();
    }

    /** Ends it though somebody reads it: they may not any more. */
    void dismiss(String why) {
        if (listening != null) {
            listening.end();
        } else if (!out.over()) {
            out.settle(RpcError.FORBIDDEN.failure(id(), "Given up: " + why + "."));
            if (call != null) {
                call.cancel(why);
            }
        }
        close();
    }

    private void release() {
        visitor.warrant().release(revoked);
    }
}
