package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's call in progress: it sends or proposes the call, waits for the result and responds to the client. It holds
 * no thread. Confined to the topic's loop.
 */
public final class PendingCall {
    /** How long a call without a proposal may go without a sign of life from whoever runs it. */
    private static final long SILENCE_TIMEOUT_MILLIS = 10 * 60_000;

    /** From when on a client that waits is shown that something has begun. */
    private static final long STREAM_START_DELAY_MILLIS = 1_000;

    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private final CallKey key;
    private final PendingCallTimer timer;

    /** The proposal's id, or that of the request that was sent without one. */
    private final String id;

    private final boolean proposed;

    /** Null while nobody waits for the answer. */
    private @Nullable ClientRequest clientRequest;

    private final CallRequestState requestState;
    private boolean accepted;
    private boolean ended;

    /** Whether a client was given its end, or so it seemed. */
    private boolean delivered;

    private final PendingResponseSender pendingResponseSender;

    /** Whether its end is about to be handed out here. */
    private boolean claimingDelivery;

    /** Why nobody wants it any more; null while somebody does. */
    private @Nullable String cancelReason;

    PendingCall(
            TopicCalls topicCalls,
            FacadeCaller caller,
            CallKey key,
            String id,
            boolean proposed,
            @Nullable ClientRequest client) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.key = key;
        this.id = id;
        this.proposed = proposed;
        this.clientRequest = client;
        this.requestState =
                new CallRequestState(topicCalls, caller, key.target().participant(), proposed ? null : id);
        this.timer = new PendingCallTimer(topicCalls, this);
        this.pendingResponseSender = new PendingResponseSender(topicCalls, caller, id);
    }

    /** What it is found by: a proposal's id, or a request's. */
    public String id() {
        return id;
    }

    CallKey key() {
        return key;
    }

    public boolean isProposed() {
        return proposed;
    }

    /** Whether its proposal is still to be decided. */
    boolean isUndecided() {
        return proposed && !requestState.isStarted() && !ended;
    }

    boolean hasWaitingClient() {
        return clientRequest != null;
    }

    /** Whose answer is still to come; null where nobody's is. */
    @Nullable
    ClientRequest waitingClient() {
        return ended ? null : clientRequest;
    }

    Member caller() {
        return facadeCaller.member();
    }

    public boolean isRunBy(String participant) {
        return requestState.isRunBy(participant);
    }

    /** A proposal that was made before this process began, or at another. */
    PendingCall markAccepted() {
        accepted = true;
        return this;
    }

    /** How its proposal stood when it was looked at. */
    void onProposalLoaded(ProposalSnapshot proposalSnapshot) {
        if (proposalSnapshot.isForwarded() && !claimingDelivery) {
            onDeliveredElsewhere();
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null && !requestState.isStarted()) {
            onExecutionStarted(fulfilment.request());
        }
        CallResult.of(proposalSnapshot).ifPresent(this::finish);
    }

    private void onExecutionStarted(Fulfilled fulfilled) {
        requestState.start(fulfilled);
        if (cancelReason != null) {
            requestState.cancel(cancelReason);
        }
    }

    /** Hears what became of sending it. */
    void onDispatched(SubmitResult submitResult) {
        switch (submitResult) {
            case SubmitResult.Refused(var failures) -> {
                close();
                respondIfWaiting(c -> RefusalResponses.toErrorResponse(c.id(), failures));
            }
            case SubmitResult.Accepted _ -> {
                accepted = true;
                if (cancelReason != null) {
                    abort(cancelReason);
                } else if (!ended) {
                    awaitResult();
                }
            }
        }
    }

    void onDispatchFailed(Throwable failure) {
        close();
        respondIfWaiting(c -> RpcErrorCode.INTERNAL.toResponse(c.id(), CallResponseFactory.INTERNAL_ERROR));
        topicCalls.log("a call failed", failure);
    }

    /** Waits for what comes, in the way the client can bear. */
    private void awaitResult() {
        ClientRequest waiting = clientRequest;
        if (waiting == null) {
            return;
        }
        if (!waiting.response().hasReader()) {
            waiting.onResponseUnread(this);
        }
        if (!proposed) {
            timer.schedule(STREAM_START_DELAY_MILLIS, () -> {
                waiting.response().start();
                timer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
            });
            return;
        }
        waiting.response().start();
        if (topicCalls.isDraining() && isUndecided()) {
            respondPendingWithStatus();
        } else if (waiting.progress() == null) {
            timer.schedule(facadeCaller.settings().maxWait().toMillis(), this::respondPendingWithStatus);
        } else {
            timer.reportStatus();
        }
    }

    /** Nothing came of it in the time a client bears: it is told so, and may call again. */
    private void respondPendingWithStatus() {
        topicCalls.loadStatus(this, status -> {
            ClientRequest waiting = clientRequest;
            // Who does not read is not told; whether they come back is looked at elsewhere.
            if (!ended && waiting != null && waiting.response().hasReader()) {
                respondPending(waiting, status);
            }
        });
    }

    /** Tells a client that it is pending, once any process would know of it that is called next. */
    private void respondPending(ClientRequest waiting, String status) {
        boolean approved = requestState.isStarted();
        detach(() -> respond(waiting, CallResponseFactory.pending(waiting.id(), key.target(), id, status, approved)));
    }

    /** The process is about to end: whoever waits for a decision is told to call again, which another will take up. */
    void drain() {
        if (clientRequest != null && isUndecided() && accepted) {
            respondPendingWithStatus();
        }
    }

    /** The process ends now: whoever waits for an answer is told that it will not come, and what to do. */
    void shutdownNow() {
        pendingResponseSender.sendNow();
        ClientRequest waiting = clientRequest;
        if (ended || waiting == null) {
            return;
        }
        if (isUndecided() && accepted) {
            respondPending(waiting, CallResponseFactory.STATUS_STOPPING);
            pendingResponseSender.sendNow();
            return;
        }
        clientRequest = null;
        timer.cancel();
        respond(
                waiting,
                !proposed
                        ? CallResponseFactory.unansweredAtShutdown(
                                waiting.id(), key.target(), requestState.runnerName())
                        : accepted
                                ? CallResponseFactory.interruptedByShutdown(waiting.id(), key.target(), id)
                                : CallResponseFactory.notProposedAtShutdown(waiting.id(), key.target()));
    }

    /** Answers a client that waits no more, though the call goes on. */
    private void respond(ClientRequest waiting, RpcMessage answer) {
        waiting.response().complete(answer);
        waiting.onCallDone(this);
    }

    /** Stays, without anybody waiting, until the caller calls again. */
    private void detach(Runnable then) {
        clientRequest = null;
        timer.cancel();
        if (topicCalls.resumableCalls().contains(this)) {
            then.run();
        } else {
            topicCalls
                    .resumableCalls()
                    .add(this)
                    .ifPresent(oldest -> oldest.abort("the caller left too many calls pending"));
            pendingResponseSender.recordThenSend(then);
        }
    }

    /** The caller has called again, and asks for it by its id from now on. */
    void convertToTask() {
        ClientRequest before = clientRequest;
        clientRequest = null;
        if (before != null) {
            respond(
                    before,
                    CallResponseFactory.pending(
                            before.id(), key.target(), id, "another call of yours holds it as a task", false));
        }
        timer.cancel();
        topicCalls.remove(this);
        topicCalls.proposalMessages().recordNote(facadeCaller, id, PendingCallNote.HELD_AS_TASK, () -> {});
    }

    /** The caller has called again; a client that still waits for the same is told to do likewise. */
    void resume(ClientRequest again) {
        ClientRequest before = clientRequest;
        clientRequest = again;
        if (before != null) {
            respond(
                    before,
                    CallResponseFactory.pending(
                            before.id(), key.target(), id, "another call of yours waits for it", false));
        }
        awaitResult();
    }

    /** Its end was handed out at another process. */
    private void onDeliveredElsewhere() {
        close();
        respondIfWaiting(c -> CallResponseFactory.deliveredElsewhere(c.id(), key.target(), id));
        clientRequest = null;
    }

    /** Something happened to its proposal. */
    void onProposalChange(ProposalChange change) {
        ProposalSnapshot after = change.after();
        if (change.entry().event() instanceof Fulfilled fulfilled) {
            onExecutionStarted(fulfilled);
        }
        if (change.entry().event() instanceof Forwarded && !claimingDelivery) {
            onDeliveredElsewhere();
        }
        if (clientRequest == null
                && change.entry().event() instanceof StatusGiven given
                && PendingCallNote.of(given, after.proposer())
                        .filter(PendingCallNote.HELD_AS_TASK::equals)
                        .isPresent()) {
            close();
        }
        CallResult.of(after).ifPresentOrElse(this::finish, this::reportProgress);
    }

    private void reportProgress() {
        ClientRequest waiting = clientRequest;
        if (accepted && waiting != null && waiting.progress() != null) {
            timer.reportStatus();
        }
    }

    private void finish(CallResult callResult) {
        if (ended) {
            return;
        }
        ended = true;
        if (topicCalls.resumableCalls().contains(this)) {
            if (clientRequest == null) {
                storeUncollected();
            } else {
                claimAndDeliver(callResult);
            }
            return;
        }
        close();
        if (clientRequest != null) {
            deliver(callResult);
        } else if (callResult instanceof CallResult.Completed) {
            topicCalls
                    .proposalMessages()
                    .recordNotForwarded(id, cancelReason == null ? "nobody called for it again" : cancelReason);
        }
    }

    /** Nobody waits for its end now, but its caller will call again. */
    private void storeUncollected() {
        close();
        topicCalls.uncollectedResults().add(key, id, topicCalls.now());
    }

    /** Gives its end to whoever waits here, unless somebody who waits elsewhere was given it. */
    private void claimAndDeliver(CallResult callResult) {
        claimingDelivery = true;
        timer.cancel();
        topicCalls.claimDelivery(
                id,
                first -> {
                    if (!first) {
                        onDeliveredElsewhere();
                        return;
                    }
                    close();
                    if (clientRequest == null) {
                        topicCalls
                                .proposalMessages()
                                .recordNotForwarded(id, CallResponseFactory.REASON_CONNECTION_LOST);
                    } else {
                        deliver(callResult);
                    }
                },
                failure -> {
                    respondIfWaiting(c -> CallResponseFactory.pending(
                            c.id(), key.target(), id, CallResponseFactory.STATUS_LEDGER_UNAVAILABLE, true));
                    clientRequest = null;
                    storeUncollected();
                });
    }

    private void deliver(CallResult callResult) {
        delivered = true;
        respondIfWaiting(c -> CallResponseFactory.result(c.id(), key.target(), id, callResult));
    }

    private void close() {
        ended = true;
        timer.cancel();
        topicCalls.remove(this);
    }

    private void respondIfWaiting(Function<ClientRequest, RpcMessage> message) {
        ClientRequest waiting = clientRequest;
        if (waiting != null) {
            respond(waiting, message.apply(waiting));
        }
    }

    /** Whoever runs it has answered; only for calls without a proposal. */
    void onResponse(Envelope response) {
        close();
        deliver(new CallResult.Completed(PayloadJsonConverter.of(response)));
    }

    /** Whoever runs it says how far it is. */
    void onProgress(Json params) {
        ClientRequest waiting = clientRequest;
        if (ended) {
            return;
        }
        if (waiting != null && waiting.progress() != null) {
            timer.forwardToolProgress(waiting, waiting.progress(), params);
        }
        if (!proposed) {
            timer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
        }
    }

    /** Whoever runs it has left; of proposals the ledger tells. */
    void onRunnerLeft() {
        if (!ended && !proposed) {
            fail("left before it answered");
        }
    }

    private void onSilenceTimeout() {
        requestState.cancel("no answer in time");
        fail("did not answer in time");
    }

    private void fail(String why) {
        close();
        String sentence = requestState.runnerName() + " " + why + "; whether "
                + key.target().displayName() + " was done is unknown.";
        respondIfWaiting(c -> RpcErrorCode.UNAVAILABLE.toResponse(c.id(), sentence));
    }

    /** Nobody reads its answer any more, and nobody has come back for it. */
    public void onAbandoned() {
        ClientRequest waiting = clientRequest;
        if (waiting == null || waiting.response().hasReader()) {
            return;
        }
        if (proposed && !ended && facadeCaller.settings().keepOnDisconnect()) {
            respondPending(waiting, CallResponseFactory.REASON_CONNECTION_LOST);
        } else {
            abort(CallResponseFactory.REASON_CONNECTION_LOST);
            // Who comes back all the same is not to wait for an answer that does not come.
            respond(
                    waiting,
                    CallResponseFactory.result(
                            waiting.id(),
                            key.target(),
                            id,
                            new CallResult.NotCompleted("withdrawn", CallResponseFactory.RECONNECTED_TOO_LATE)));
        }
    }

    /** The answer could not be handed over: the client had gone, and will not call again. */
    public void onUndelivered() {
        if (proposed && delivered && cancelReason == null) {
            topicCalls.proposalMessages().recordNotForwarded(id, CallResponseFactory.REASON_CONNECTION_LOST);
        }
    }

    /** Nobody wants it any more. */
    public void cancel(String why) {
        ClientRequest waiting = clientRequest;
        abort(why);
        if (waiting != null) {
            waiting.response().close();
            waiting.onCallDone(this);
        }
    }

    private void abort(String why) {
        cancelReason = why;
        clientRequest = null;
        timer.cancel();
        topicCalls.resumableCalls().remove(this);
        if (ended || !accepted) {
            return;
        }
        if (!requestState.isStarted()) {
            topicCalls.proposalMessages().withdraw(facadeCaller, id, why);
        } else {
            requestState.cancel(why);
            if (!proposed) {
                close();
            }
        }
    }
}
