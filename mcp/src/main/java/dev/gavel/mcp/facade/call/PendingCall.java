package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.call.CallOutcome;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's call that was sent or proposed: it waits for the result and responds to the client. It blocks no thread.
 * Confined to the topic's loop.
 */
public final class PendingCall {
    /** How long a call without a proposal may stay without response or progress from the participant that runs it. */
    private static final long SILENCE_TIMEOUT_MILLIS = 10 * 60_000;

    /**
     * When the response stream of a waiting client is started, so that the client sees that the request is in progress.
     */
    private static final long STREAM_START_DELAY_MILLIS = 1_000;

    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private final CallDeduplicationKey key;
    private final PendingCallTimer timer;

    /** The id of the proposal, or of the request that was sent without one. */
    private final String id;

    private final boolean isProposal;

    /** Null while no client waits for the response. */
    private @Nullable InFlightClientRequest clientRequest;

    private final CallRunners callRunners;
    private boolean envelopeAccepted;
    private boolean ended;

    /** Whether the result was written to a client. */
    private boolean delivered;

    private final CallAgainResponseSender callAgainResponseSender;

    /** Whether the client was answered because its token or membership ended. */
    private boolean released;

    /** Whether this process is about to deliver the result. */
    private boolean claimingDelivery;

    /** Why the call was cancelled, or null if it was not. */
    private @Nullable String cancelReason;

    PendingCall(
            TopicCalls topicCalls,
            FacadeCaller caller,
            CallDeduplicationKey key,
            String id,
            boolean proposed,
            @Nullable InFlightClientRequest client) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.key = key;
        this.id = id;
        this.isProposal = proposed;
        this.clientRequest = client;
        this.callRunners = new CallRunners(topicCalls, caller, key.target().participant(), proposed ? null : id);
        this.timer = new PendingCallTimer(topicCalls, this);
        this.callAgainResponseSender = new CallAgainResponseSender(topicCalls, caller, id);
    }

    /** Returns the id of the proposal or of the request. */
    public String id() {
        return id;
    }

    CallDeduplicationKey key() {
        return key;
    }

    public boolean isProposed() {
        return isProposal;
    }

    /** Whether the proposal is not decided yet. */
    boolean isUndecided() {
        return isProposal && !callRunners.isStarted() && !ended;
    }

    public boolean hasWaitingClient() {
        return clientRequest != null;
    }

    /** Returns the client request that still waits for its response, or null if there is none. */
    @Nullable
    InFlightClientRequest waitingClient() {
        return ended ? null : clientRequest;
    }

    Member caller() {
        return facadeCaller.member();
    }

    /** Returns the grant of the client that started the call. */
    RevocableAccessGrant accessGrant() {
        return facadeCaller.accessGrant();
    }

    public boolean isRunBy(String participant) {
        return callRunners.isRunBy(participant);
    }

    /** Marks a call as accepted whose proposal was made before this process started, or at another process. */
    PendingCall markAccepted() {
        envelopeAccepted = true;
        return this;
    }

    /** Applies the state of the proposal as loaded from the ledger. */
    void onProposalLoaded(ProposalSnapshot proposalSnapshot) {
        if (proposalSnapshot.isForwarded() && !claimingDelivery) {
            onDeliveredElsewhere();
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null && !callRunners.isStarted()) {
            onExecutionStarted(fulfilment.fulfilled());
        }
        topicCalls.resultOf(proposalSnapshot).ifPresent(this::finish);
    }

    private void onExecutionStarted(Fulfilled fulfilled) {
        callRunners.onStarted(fulfilled);
        if (cancelReason != null) {
            callRunners.cancel(cancelReason);
        }
    }

    /** Handles the gateway's result for the envelope that starts the call. */
    void onDispatched(SubmitResult submitResult) {
        switch (submitResult) {
            case SubmitResult.Refused(var failures) -> {
                markEnded();
                respondIfWaiting(client -> RefusalResponseFactory.toResponse(client.id(), key.target(), failures));
            }
            case SubmitResult.Accepted _ -> {
                envelopeAccepted = true;
                if (cancelReason != null) {
                    abort(cancelReason);
                } else if (!ended && released && isProposal) {
                    detach(() -> {});
                } else if (!ended) {
                    awaitResult();
                }
            }
        }
    }

    void onDispatchFailed(Throwable failure) {
        markEnded();
        respondIfWaiting(client -> topicCalls.internalError(client, failure));
    }

    /** Starts the timers, according to what the client supports. */
    private void awaitResult() {
        InFlightClientRequest client = clientRequest;
        if (client == null) {
            return;
        }
        if (!client.response().hasReader()) {
            client.onResponseUnread(this);
        }
        if (!isProposal) {
            timer.schedule(STREAM_START_DELAY_MILLIS, () -> {
                client.response().start();
                timer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
            });
            return;
        }
        client.response().start();
        if (topicCalls.isDraining() && isUndecided()) {
            respondPendingWithStatus();
        } else if (client.progress() == null) {
            timer.schedule(facadeCaller.settings().maxWait().toMillis(), this::respondPendingWithStatus);
        } else {
            timer.reportStatus();
        }
    }

    /** Responds that the call is pending, because it took longer than the client waits. The client may call again. */
    private void respondPendingWithStatus() {
        topicCalls.loadStatus(this, status -> {
            InFlightClientRequest client = clientRequest;
            // A client that does not read gets no response here; onAbandoned handles it if it does not return.
            if (!ended && client != null && client.response().hasReader()) {
                respondPending(client, status);
            }
        });
    }

    /**
     * Responds that the call is pending, after the ledger has recorded it, so that every process can resume the call.
     */
    private void respondPending(InFlightClientRequest client, String status) {
        boolean approved = callRunners.isStarted();
        detach(() -> respond(client, CallResponseFactory.pending(client.id(), key.target(), id, status, approved)));
    }

    /**
     * Prepares for the end of the process: a client that waits for a decision is asked to call again, and another
     * process resumes the call.
     */
    void drain() {
        if (clientRequest != null && isUndecided() && envelopeAccepted) {
            respondPendingWithStatus();
        }
    }

    /** Responds to a waiting client at the end of the process: says that no result will follow, and what to do. */
    void shutdownNow() {
        callAgainResponseSender.sendNow();
        InFlightClientRequest client = clientRequest;
        if (ended || client == null) {
            return;
        }
        if (isUndecided() && envelopeAccepted) {
            respondPending(client, CallResponseFactory.STATUS_STOPPING);
            callAgainResponseSender.sendNow();
            return;
        }
        clientRequest = null;
        timer.cancel();
        respond(
                client,
                !isProposal
                        ? CallResponseFactory.unansweredAtShutdown(
                                client.id(), key.target(), callRunners.quotedRunner())
                        : envelopeAccepted
                                ? CallResponseFactory.interruptedByShutdown(client.id(), key.target(), id)
                                : CallResponseFactory.notProposedAtShutdown(client.id(), key.target()));
    }

    /** Sends the response to a client. The call itself may continue. */
    private void respond(InFlightClientRequest client, RpcMessage response) {
        client.response().complete(response);
        client.onCallDone(this);
    }

    /** Keeps the call in progress without a waiting client, until the caller calls again. */
    private void detach(Runnable callback) {
        clientRequest = null;
        timer.cancel();
        if (topicCalls.resumableCalls().contains(this)) {
            callback.run();
        } else {
            topicCalls
                    .resumableCalls()
                    .add(this)
                    .ifPresent(oldest -> oldest.abort("the client left too many calls pending"));
            callAgainResponseSender.recordThenSend(callback);
        }
    }

    /** Turns the call into a task: the caller has called again, and polls the proposal by its id from now on. */
    void convertToTask() {
        InFlightClientRequest previous = clientRequest;
        clientRequest = null;
        if (previous != null) {
            respond(
                    previous,
                    CallResponseFactory.pending(
                            previous.id(),
                            key.target(),
                            id,
                            "another call of yours tracks this proposal as a task",
                            callRunners.isStarted()));
        }
        timer.cancel();
        topicCalls.remove(this);
        topicCalls.proposalFollowUpSender().recordNote(facadeCaller, id, CallerStatusNote.HELD_AS_TASK, () -> {});
    }

    /** Attaches a repeated call of the caller. A client that still waits for the same call gets a pending response. */
    void resume(InFlightClientRequest newRequest) {
        InFlightClientRequest previous = clientRequest;
        clientRequest = newRequest;
        if (previous != null) {
            respond(
                    previous,
                    CallResponseFactory.pending(
                            previous.id(),
                            key.target(),
                            id,
                            "another call of yours is waiting for this proposal",
                            callRunners.isStarted()));
        }
        awaitResult();
    }

    /** Ends the call, because another process has delivered the result. */
    private void onDeliveredElsewhere() {
        markEnded();
        respondIfWaiting(client -> CallResponseFactory.deliveredElsewhere(client.id(), key.target(), id));
        clientRequest = null;
    }

    /** Handles a change of the proposal. */
    void onProposalChange(AppliedProposalEvent change) {
        ProposalSnapshot after = change.after();
        if (change.entry().event() instanceof Fulfilled fulfilled) {
            onExecutionStarted(fulfilled);
        }
        if (change.entry().event() instanceof Forwarded && !claimingDelivery) {
            onDeliveredElsewhere();
        }
        if (clientRequest == null
                && change.entry().event() instanceof StatusReported statusReported
                && CallerStatusNote.of(statusReported, after.proposer())
                        .filter(CallerStatusNote.HELD_AS_TASK::equals)
                        .isPresent()) {
            markEnded();
        }
        topicCalls.resultOf(after).ifPresentOrElse(this::finish, this::reportProgress);
    }

    /** Sends the current status to a client that asked for progress. */
    void reportProgress() {
        InFlightClientRequest client = clientRequest;
        if (envelopeAccepted && client != null && client.progress() != null) {
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
        markEnded();
        if (clientRequest != null) {
            deliver(callResult);
        } else if (callResult instanceof CallResult.Completed) {
            topicCalls
                    .proposalFollowUpSender()
                    .recordNotForwarded(
                            id, cancelReason == null ? "the client did not call again for the result" : cancelReason);
        }
    }

    /** Stores the result without a waiting client: the caller will call again. */
    private void storeUncollected() {
        markEnded();
        topicCalls.uncollectedResults().add(key, id, topicCalls.now());
    }

    /** Delivers the result to the client that waits here, unless another process has delivered it. */
    private void claimAndDeliver(CallResult callResult) {
        claimingDelivery = true;
        timer.cancel();
        topicCalls.claimDelivery(
                id,
                claimed -> {
                    if (!claimed) {
                        onDeliveredElsewhere();
                        return;
                    }
                    markEnded();
                    if (clientRequest == null) {
                        topicCalls
                                .proposalFollowUpSender()
                                .recordNotForwarded(id, CallResponseFactory.REASON_CONNECTION_LOST);
                    } else {
                        deliver(callResult);
                    }
                },
                failure -> {
                    respondIfWaiting(client -> CallResponseFactory.pendingWithoutLedger(client.id(), key.target(), id));
                    clientRequest = null;
                    storeUncollected();
                });
    }

    private void deliver(CallResult callResult) {
        delivered = true;
        respondIfWaiting(client -> {
            try {
                return CallResponseFactory.result(client.id(), key.target(), id, callResult);
            } catch (RuntimeException e) {
                return topicCalls.internalError(client, e);
            }
        });
    }

    private void markEnded() {
        ended = true;
        timer.cancel();
        topicCalls.remove(this);
    }

    private void respondIfWaiting(Function<InFlightClientRequest, RpcMessage> message) {
        InFlightClientRequest client = clientRequest;
        if (client != null) {
            respond(client, message.apply(client));
        }
    }

    /** Handles the response of the participant that runs the call; only for calls without a proposal. */
    void onResponse(Envelope response) {
        markEnded();
        deliver(new CallResult.Completed(PayloadJsonConverter.of(response), false, Optional.empty()));
    }

    /** Handles progress of the participant that runs the call. */
    void onProgress(Json params) {
        InFlightClientRequest client = clientRequest;
        if (ended) {
            return;
        }
        if (client != null && client.progress() != null) {
            timer.forwardToolProgress(client, client.progress(), params);
        }
        if (!isProposal) {
            timer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
        }
    }

    /**
     * Fails a direct call, because the participant that runs it has left. For proposals, the ledger reports the
     * outcome.
     */
    void onRunnerLeft() {
        if (!ended && !isProposal) {
            fail("disconnected before it answered");
        }
    }

    private void onSilenceTimeout() {
        callRunners.cancel("no answer within the time limit");
        recordGivenUp(CallOutcome.TIMEOUT);
        fail("did not answer in time");
    }

    private void fail(String reason) {
        markEnded();
        String message = callRunners.quotedRunner() + " " + reason + ". It is not known whether "
                + key.target().displayName() + " ran. Check before you call it again.";
        respondIfWaiting(client -> RpcErrorCode.UNAVAILABLE.toResponse(client.id(), message));
    }

    /** Gives up the call if no client reads its response and none has returned for it. */
    public void onAbandoned() {
        InFlightClientRequest client = clientRequest;
        if (client == null || client.response().hasReader()) {
            return;
        }
        if (isProposal && !ended && facadeCaller.settings().keepOnDisconnect()) {
            respondPending(client, CallResponseFactory.REASON_CONNECTION_LOST);
        } else {
            abort(CallResponseFactory.REASON_CONNECTION_LOST);
            // A client that returns nevertheless must not wait for a response that never arrives.
            respond(
                    client,
                    CallResponseFactory.result(
                            client.id(),
                            key.target(),
                            id,
                            new CallResult.NotCompleted("withdrawn", CallResponseFactory.RECONNECTED_TOO_LATE)));
        }
    }

    /** Records that the response could not be delivered: the client has disconnected and will not call again. */
    public void onUndelivered() {
        if (isProposal && delivered && cancelReason == null) {
            topicCalls.proposalFollowUpSender().recordNotForwarded(id, CallResponseFactory.REASON_CONNECTION_LOST);
        }
    }

    /** Cancels the call. */
    public void cancel(String reason) {
        InFlightClientRequest client = clientRequest;
        abort(reason);
        if (client != null) {
            client.response().close();
            client.onCallDone(this);
        }
    }

    /**
     * Answers the waiting client, whose token or membership has ended. The call continues without it: a running call
     * finishes, and the caller can resume it with another token. If the caller has lost its access, the gateway
     * withdraws the proposal.
     */
    public void release(RpcMessage response) {
        InFlightClientRequest client = clientRequest;
        if (client == null) {
            return;
        }
        released = true;
        clientRequest = null;
        if (isProposal && envelopeAccepted && !ended) {
            detach(() -> {});
        } else {
            timer.cancel();
            if (!isProposal && !ended) {
                timer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
            }
        }
        respond(client, response);
    }

    private void abort(String reason) {
        cancelReason = reason;
        clientRequest = null;
        timer.cancel();
        topicCalls.resumableCalls().remove(this);
        if (ended || !envelopeAccepted) {
            return;
        }
        if (!callRunners.isStarted()) {
            topicCalls.proposalFollowUpSender().withdraw(facadeCaller, id, reason);
        } else {
            callRunners.cancel(reason);
            if (!isProposal) {
                recordGivenUp(CallOutcome.CANCELLED);
                markEnded();
            }
        }
    }

    /** Records the end of a call without a proposal; of other calls, the gateway itself knows the end. */
    private void recordGivenUp(CallOutcome outcome) {
        topicCalls.topic().recordGivenUp(id, caller().id(), outcome);
    }
}
