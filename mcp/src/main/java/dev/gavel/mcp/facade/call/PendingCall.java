package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.call.CallOutcome;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.CallerStatusNote;
import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call of an MCP client that was sent or proposed: it waits for the result and responds to the clients that wait for
 * it. If the caller repeats a proposed call, the repeated call joins it: all its {@linkplain CallWaiter waiters} get the
 * result. It blocks no thread. Confined to the topic's loop.
 */
public final class PendingCall {
    /** How long a call without a proposal may stay without response or progress from the participant that runs it. */
    private static final long SILENCE_TIMEOUT_MILLIS = 10 * 60_000;

    /** How long a proposal that does not linger stays open for a client that was disconnected when the process ended. */
    private static final Duration RESUME_TIME = Duration.ofSeconds(10);

    /** How long other processes have to record that a client waits there, if a client cancels here. */
    private static final Duration CANCEL_GRACE = Duration.ofSeconds(10);

    /** How many clients can wait for one call. Above it, the first one is told to call again. */
    private static final int MAX_WAITERS = 16;

    private final TopicCalls topicCalls;

    /** The caller as it was when it made the call. */
    private final FacadeCaller facadeCaller;

    private final CallDeduplicationKey key;

    /** The id of the proposal, or of the request that was sent without one. */
    private final String id;

    private final boolean isProposal;
    private final CallRunners callRunners;
    private final CallAgainNoteRecorder callAgainNote;
    private final CallerPresenceRecorder presenceRecorder;
    private final RestartableTimer silenceTimer;
    private final List<CallWaiter> waiters = new ArrayList<>();

    /** The actions that wait until the proposal is stored. */
    private final List<Runnable> whenAccepted = new ArrayList<>();

    private boolean envelopeAccepted;
    private boolean ended;

    /** Whether the ledger names this process as the one at which the caller waits. */
    private boolean waitsHere = true;

    /** Whether the ledger says that the caller lost its connection, so that an approval is held until it calls again. */
    private boolean callerDisconnected;

    /** The other processes at which clients of the caller may wait, as far as the ledger says. */
    private final Set<String> otherProcesses = new HashSet<>();

    /** Whether a client polls the proposal by its id. */
    private boolean heldAsTask;

    /** Whether a client was answered because its token or membership ended, before the proposal was stored. */
    private boolean released;

    /** Whether the ledger has recorded that this process delivers the result. */
    private boolean deliveryRecorded;

    /** Whether the withdrawal of the proposal was sent and its result is not known yet. */
    private boolean withdrawing;

    /** The equal calls that wait until it is known whether the proposal is withdrawn. */
    private final List<Runnable> whenWithdrawalSettled = new ArrayList<>();

    /** The requests of clients that repeat the call as a task, and wait until the proposal is stored. */
    private final List<InFlightClientRequest> taskRequests = new ArrayList<>();

    /** Receives the requests of this call if an equal proposal was stored first, perhaps by another process. */
    private EqualProposalHandler equalProposalHandler = (proposal, waiting) -> {};

    /** Whether the result is not lost if no client waits: the caller can get it by calling again. */
    private boolean resultKept;

    /** How many connected clients the result was written to. */
    private int receivers;

    /** Why the call was cancelled, or null if it was not. */
    private @Nullable String cancelReason;

    /** Lets client requests join the equal proposal that was stored instead of this call's own one. */
    @FunctionalInterface
    interface EqualProposalHandler {
        /** Handles the requests that waited for this call. */
        void onEqualProposal(String proposal, List<WaitingRequest> waiting);
    }

    /** A client request and its caller. */
    record WaitingRequest(FacadeCaller caller, InFlightClientRequest clientRequest) {}

    PendingCall(TopicCalls topicCalls, FacadeCaller caller, CallDeduplicationKey key, String id, boolean proposed) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.key = key;
        this.id = id;
        this.isProposal = proposed;
        this.callRunners = new CallRunners(topicCalls, caller, key.target().participant(), proposed ? null : id);
        this.callAgainNote = new CallAgainNoteRecorder(topicCalls, caller, id);
        this.presenceRecorder = new CallerPresenceRecorder(topicCalls, id);
        this.silenceTimer = new RestartableTimer(topicCalls);
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

    /** Whether the gateway has accepted the envelope that starts the call. */
    public boolean isAccepted() {
        return envelopeAccepted;
    }

    /** Whether the proposal is not decided yet. */
    boolean isUndecided() {
        return isProposal && !callRunners.isStarted() && !ended;
    }

    boolean hasWaitingClient() {
        return !waiters.isEmpty();
    }

    boolean hasWaiter(CallWaiter waiter) {
        return waiters.contains(waiter);
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

    /** Marks a call as accepted. */
    PendingCall markAccepted() {
        envelopeAccepted = true;
        return this;
    }

    /** Marks a call whose proposal was made before this process started, or at another process. */
    PendingCall markProposedElsewhere() {
        waitsHere = false;
        return markAccepted();
    }

    /** Marks a call whose caller was told before to call again for the result. */
    PendingCall markToldToCallAgain() {
        callAgainNote.markRecorded();
        return this;
    }

    /** Marks a call that a client holds as a task. */
    PendingCall markHeldAsTask() {
        heldAsTask = true;
        return this;
    }

    /** Sets what happens if an equal proposal was stored first. */
    PendingCall onEqualProposal(EqualProposalHandler handler) {
        equalProposalHandler = handler;
        return this;
    }

    /** Whether it is not known yet whether the proposal is withdrawn. An equal call must wait until then. */
    boolean isWithdrawing() {
        return withdrawing;
    }

    /** Runs an action when it is known whether the proposal is withdrawn. */
    void whenWithdrawalSettled(Runnable action) {
        whenWithdrawalSettled.add(action);
    }

    /** Adds the client that makes the call. */
    PendingCall addFirstWaiter(InFlightClientRequest clientRequest) {
        addWaiter(facadeCaller, clientRequest, false);
        return this;
    }

    /** Adds a client that repeats the call. */
    void join(FacadeCaller caller, InFlightClientRequest clientRequest) {
        if (waiters.size() >= MAX_WAITERS) {
            respondPending(waiters.getFirst(), "other calls of yours are waiting for this proposal");
        }
        CallWaiter waiter = addWaiter(caller, clientRequest, true);
        // A client that has disconnected already does not wait, unless it returns.
        if (waiter.hasReader()) {
            recordThatCallerWaitsHere();
        }
        if (envelopeAccepted) {
            waiter.startWaiting();
        }
    }

    /** Records that the caller waits here, if the ledger does not say so, so that the proposal is not withdrawn. */
    private void recordThatCallerWaitsHere() {
        if (callerDisconnected || (!waitsHere && !callAgainNote.isStarted() && !heldAsTask)) {
            callerDisconnected = false;
            waitsHere = true;
            runWhenAccepted(presenceRecorder::recordWaits);
        }
    }

    private void runWhenAccepted(Runnable action) {
        if (envelopeAccepted) {
            action.run();
        } else {
            whenAccepted.add(action);
        }
    }

    private CallWaiter addWaiter(FacadeCaller caller, InFlightClientRequest clientRequest, boolean joined) {
        CallWaiter waiter = new CallWaiter(topicCalls, this, caller, clientRequest, joined);
        waiters.add(waiter);
        topicCalls.joinableCalls().markAttended(this);
        clientRequest.onCallStarted(waiter);
        return waiter;
    }

    /** Gives the id of the proposal to a client that repeats the call and polls the proposal from now on. */
    void joinAsTask(InFlightClientRequest clientRequest) {
        if (!envelopeAccepted) {
            taskRequests.add(clientRequest);
            return;
        }
        if (callerDisconnected) {
            recordThatCallerWaitsHere();
        }
        if (!heldAsTask) {
            heldAsTask = true;
            topicCalls.proposalFollowUpSender().recordNote(facadeCaller, id, CallerStatusNote.HELD_AS_TASK, () -> {});
        }
        clientRequest.onProposed(id);
    }

    /** Applies the state of the proposal as loaded from the ledger. */
    void onProposalLoaded(ProposalSnapshot proposalSnapshot) {
        WaitingProposalId.firstProcess(id).ifPresent(this::addOtherProcess);
        proposalSnapshot.timeline().forEach(entry -> trackOtherProcesses(entry.event()));
        if (proposalSnapshot.callerDisconnection().isPresent()) {
            onCallerDisconnected();
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null && !callRunners.isStarted()) {
            onExecutionStarted(fulfilment.fulfilled());
        }
        topicCalls.resultOf(proposalSnapshot).ifPresent(this::finish);
    }

    private void addOtherProcess(String process) {
        if (!process.isEmpty() && !process.equals(topicCalls.processId())) {
            otherProcesses.add(process);
        }
    }

    private void trackOtherProcesses(ProposalEvent event) {
        switch (event) {
            case CallerWaits(String process) -> addOtherProcess(process);
            case CallerDisconnected(String process, var _) -> otherProcesses.remove(process);
            default -> {}
        }
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
                respondToAll(waiter -> RefusalResponseFactory.toResponse(waiter.requestId(), key.target(), failures));
            }
            case SubmitResult.Accepted accepted when !accepted.id().equals(id) -> joinEqualProposal(accepted.id());
            case SubmitResult.Accepted _ -> {
                envelopeAccepted = true;
                if (ended) {
                    return;
                }
                List.copyOf(waiters).forEach(CallWaiter::startWaiting);
                whenAccepted.forEach(Runnable::run);
                whenAccepted.clear();
                taskRequests.forEach(this::joinAsTask);
                taskRequests.clear();
                if (!isProposal) {
                    silenceTimer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
                }
                if (waiters.isEmpty() && cancelReason != null) {
                    giveUp(cancelReason);
                } else if (waiters.isEmpty() && released && isProposal) {
                    leaveUnattended();
                    callAgainNote.recordThen(() -> {});
                }
            }
        }
    }

    /** Passes the waiting requests on: the call was not proposed, because an equal proposal was stored before. */
    private void joinEqualProposal(String proposal) {
        markEnded();
        List<WaitingRequest> waiting = removeWaiters();
        taskRequests.forEach(clientRequest -> waiting.add(new WaitingRequest(facadeCaller, clientRequest)));
        taskRequests.clear();
        equalProposalHandler.onEqualProposal(proposal, waiting);
    }

    void onDispatchFailed(Throwable failure) {
        markEnded();
        respondToAll(waiter -> topicCalls.internalError(waiter.clientRequest(), failure));
    }

    /** Responds that the call is pending, because it took longer than the client waits. The client may call again. */
    void respondPendingWithStatus(CallWaiter waiter) {
        topicCalls.loadStatus(this, status -> {
            // A client that does not read gets no response here; onWaiterLost handles it if it does not return.
            if (!ended && hasWaiter(waiter) && waiter.hasReader()) {
                respondPending(waiter, status);
            }
        });
    }

    /**
     * Responds that the call is pending, after the ledger has recorded it, so that every process can resume the call.
     */
    private void respondPending(CallWaiter waiter, String status) {
        boolean approved = callRunners.isStarted();
        remove(waiter);
        leaveUnattended();
        callAgainNote.recordThen(() ->
                waiter.respond(CallResponseFactory.pending(waiter.requestId(), key.target(), id, status, approved)));
    }

    /**
     * Prepares for the end of the process: clients that wait for a decision are asked to call again, and another process
     * resumes the call.
     */
    void drain() {
        if (isUndecided() && envelopeAccepted) {
            loseWaitersWithoutReader();
            List.copyOf(waiters).forEach(this::respondPendingWithStatus);
        }
    }

    /** Responds to the waiting clients at the end of the process: says that no result will follow, and what to do. */
    void shutdownNow() {
        callAgainNote.finishNow();
        if (ended) {
            return;
        }
        if (isUndecided() && envelopeAccepted) {
            loseWaitersWithoutReader();
            List.copyOf(waiters).forEach(waiter -> respondPending(waiter, CallResponseFactory.STATUS_STOPPING));
            callAgainNote.finishNow();
            return;
        }
        respondToAll(waiter -> !isProposal
                ? CallResponseFactory.unansweredAtShutdown(waiter.requestId(), key.target(), callRunners.quotedRunner())
                : envelopeAccepted
                        ? CallResponseFactory.interruptedByShutdown(waiter.requestId(), key.target(), id)
                        : CallResponseFactory.notProposedAtShutdown(waiter.requestId(), key.target()));
    }

    /**
     * Gives up the clients that are disconnected at the end of the process. They are not told that the call is pending,
     * but can resume their streams at another process.
     */
    private void loseWaitersWithoutReader() {
        boolean lost = !waiters.isEmpty() && !hasReader() && !heldAsTask && !callAgainNote.isStarted();
        waiters.stream().filter(waiter -> !waiter.hasReader()).toList().forEach(this::remove);
        if (lost) {
            presenceRecorder.recordLeft(
                    facadeCaller.settings().lingers() ? facadeCaller.settings().maxLinger() : Optional.of(RESUME_TIME));
        }
    }

    private void remove(CallWaiter waiter) {
        waiter.stop();
        waiters.remove(waiter);
    }

    /** Keeps the call in progress until the caller calls again, if no client waits for it any more. */
    private void leaveUnattended() {
        topicCalls.joinableCalls().add(this);
        if (waiters.isEmpty()) {
            topicCalls
                    .joinableCalls()
                    .markUnattended(this)
                    .ifPresent(oldest -> oldest.giveUp("the client left too many calls pending"));
        }
    }

    /** Withdraws the undecided proposal. Clients that wait for it are answered when the withdrawal is stored. */
    void withdraw(String reason) {
        topicCalls.joinableCalls().remove(this);
        runWhenAccepted(() -> topicCalls.proposalFollowUpSender().withdraw(facadeCaller, id, reason));
    }

    /** Handles a change of the proposal. */
    void onProposalChange(AppliedProposalEvent change) {
        trackOtherProcesses(change.entry().event());
        switch (change.entry().event()) {
            case Fulfilled fulfilled -> onExecutionStarted(fulfilled);
            case CallerDisconnected _ -> onCallerDisconnected();
            case CallerWaits(String process) -> {
                waitsHere = process.equals(topicCalls.processId());
                callerDisconnected = false;
            }
            default -> {}
        }
        topicCalls.resultOf(change.after()).ifPresentOrElse(this::finish, this::reportStatus);
    }

    /**
     * Handles that the ledger says that the caller left, although a client may wait here: another process has lost a
     * client of the caller, or has taken this process for ended.
     */
    private void onCallerDisconnected() {
        callerDisconnected = true;
        if (hasReader()) {
            recordThatCallerWaitsHere();
        }
    }

    /** Handles that a disconnected client reads its response again. */
    void onWaiterReturned() {
        if (!ended) {
            recordThatCallerWaitsHere();
        }
    }

    /** Sends the current status to clients that asked for progress. */
    void reportStatus() {
        if (envelopeAccepted) {
            waiters.forEach(CallWaiter::reportStatus);
        }
    }

    private void finish(CallResult callResult) {
        if (ended) {
            return;
        }
        ended = true;
        topicCalls.unregister(this);
        if (hasReader()) {
            recordAndDeliver(callResult);
        } else {
            keepAndDeliver(callResult, false);
        }
    }

    private boolean hasReader() {
        return waiters.stream().anyMatch(CallWaiter::hasReader);
    }

    /** Delivers a result that no connected client waits for. A disconnected client can still resume its stream. */
    private void keepAndDeliver(CallResult callResult, boolean recorded) {
        keepResult(callResult, recorded);
        deliver(callResult);
    }

    /**
     * Keeps the result of a call for which no client waits: the caller can get it by calling again.
     *
     * @param recorded whether the ledger has recorded that the result is delivered here
     */
    private void keepResult(CallResult callResult, boolean recorded) {
        boolean withdrawn = callResult instanceof CallResult.NotCompleted(String state, var _)
                && state.equals(ProposalState.WITHDRAWN.label());
        boolean toldToCallAgain = callAgainNote.isStarted();
        resultKept = !heldAsTask && (toldToCallAgain || (!withdrawn && mayBeResumed()));
        if (resultKept) {
            topicCalls
                    .uncollectedResults()
                    .add(
                            key,
                            id,
                            topicCalls.now(),
                            UncollectedResults.retention(toldToCallAgain, facadeCaller.settings()));
        }
        String reason = cancelReason == null ? CallResponseFactory.REASON_CONNECTION_LOST : cancelReason;
        if (recorded) {
            topicCalls.proposalFollowUpSender().revokeForwarded(id, reason);
        } else if (waitsHere && !toldToCallAgain && !heldAsTask && callResult instanceof CallResult.Completed) {
            topicCalls.proposalFollowUpSender().recordNotForwarded(id, reason);
        }
    }

    /**
     * Delivers the result to the clients that wait here. The ledger first records the delivery, so that a later equal
     * call is a new one at every process. If another process delivers the result to its own clients, those that wait here
     * get it, too; each process records its delivery, because each may have to revoke it.
     */
    private void recordAndDeliver(CallResult callResult) {
        topicCalls.recordDelivery(
                id,
                recorded -> {
                    deliveryRecorded = recorded;
                    if (hasReader()) {
                        deliver(callResult);
                    } else {
                        keepAndDeliver(callResult, recorded);
                    }
                },
                failure -> {
                    callAgainNote.markRecorded();
                    keepResult(callResult, false);
                    topicCalls.joinableCalls().remove(this);
                    respondToAll(
                            waiter -> CallResponseFactory.pendingWithoutLedger(waiter.requestId(), key.target(), id));
                });
    }

    /** Writes the result to all clients. Until then, an equal call joins this one. */
    private void deliver(CallResult callResult) {
        topicCalls.joinableCalls().remove(this);
        receivers = (int) waiters.stream().filter(CallWaiter::hasReader).count();
        respondToAll(waiter -> {
            try {
                RpcMessage response = CallResponseFactory.result(waiter.requestId(), key.target(), id, callResult);
                return waiter.isJoined() ? JoinedCallMarker.mark(response) : response;
            } catch (RuntimeException e) {
                return topicCalls.internalError(waiter.clientRequest(), e);
            }
        });
    }

    /** Handles that a client resumed its stream after the call had ended, and so received the result. */
    void onWaiterReceivedResult() {
        receivers++;
        if (isProposal && resultKept) {
            resultKept = false;
            topicCalls.uncollectedResults().remove(key.caller(), id);
            topicCalls.recordDelivery(
                    id,
                    recorded -> {
                        deliveryRecorded |= recorded;
                        keepIfNotReceived();
                    },
                    _ -> {});
        }
    }

    /** Handles that a client disconnected before it had read the result. */
    void onWaiterMissedResult() {
        receivers--;
        keepIfNotReceived();
    }

    /** If no client received the result, the caller can get it by calling again. */
    private void keepIfNotReceived() {
        if (isProposal && ended && receivers == 0 && deliveryRecorded) {
            deliveryRecorded = false;
            topicCalls.proposalFollowUpSender().revokeForwarded(id, CallResponseFactory.REASON_CONNECTION_LOST);
            if (mayBeResumed()) {
                resultKept = true;
                topicCalls.uncollectedResults().add(key, id, topicCalls.now(), UncollectedResults.RETENTION_AFTER_LOSS);
            }
        }
    }

    /**
     * Prepares the delivery of the result of a call that ended before the client repeated it. Equal calls join this one
     * until the result is delivered.
     */
    void startDelivery(InFlightClientRequest clientRequest) {
        envelopeAccepted = true;
        ended = true;
        callAgainNote.markRecorded();
        addWaiter(facadeCaller, clientRequest, true);
        topicCalls.register(this);
        topicCalls.joinableCalls().add(this);
    }

    /**
     * Delivers the result, after the ledger has recorded the delivery. If no client receives it, the caller can still get
     * it by calling again.
     */
    void completeDelivery(CallResult callResult) {
        topicCalls.unregister(this);
        deliveryRecorded = true;
        deliver(callResult);
        keepIfNotReceived();
    }

    /** Ends the delivery without a result, and returns the requests that waited for it. */
    List<WaitingRequest> stopDelivery() {
        topicCalls.remove(this);
        return removeWaiters();
    }

    private List<WaitingRequest> removeWaiters() {
        List<WaitingRequest> waiting = new ArrayList<>();
        waiters.forEach(waiter -> {
            waiter.stop();
            waiting.add(new WaitingRequest(waiter.caller(), waiter.clientRequest()));
        });
        waiters.clear();
        return waiting;
    }

    private void markEnded() {
        ended = true;
        silenceTimer.cancel();
        topicCalls.remove(this);
    }

    private void respondToAll(Function<CallWaiter, RpcMessage> response) {
        List<CallWaiter> answered = List.copyOf(waiters);
        waiters.clear();
        answered.forEach(waiter -> waiter.respond(response.apply(waiter)));
    }

    /** Handles the response of the participant that runs the call; only for calls without a proposal. */
    void onResponse(Envelope response) {
        markEnded();
        deliver(new CallResult.Completed(PayloadJsonConverter.of(response), false, Optional.empty()));
    }

    /** Handles progress of the participant that runs the call. */
    void onProgress(Json params) {
        if (ended) {
            return;
        }
        waiters.forEach(waiter -> waiter.forwardToolProgress(params));
        if (!isProposal) {
            silenceTimer.schedule(SILENCE_TIMEOUT_MILLIS, this::onSilenceTimeout);
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
        respondToAll(waiter -> RpcErrorCode.UNAVAILABLE.toResponse(waiter.requestId(), message));
    }

    /** Handles that a client cancelled its request. The call goes on if other clients wait for it. */
    void onWaiterCancelled(CallWaiter waiter, String reason) {
        if (hasWaiter(waiter)) {
            remove(waiter);
            if (waiters.isEmpty() && !heldAsTask) {
                giveUpHere(reason);
            }
        }
    }

    /**
     * Handles that a client lost its connection and did not return. The call goes on if other clients wait for it, or if
     * it runs already. An undecided proposal stays open for some time, in which the caller can call again.
     */
    void onWaiterLost(CallWaiter waiter) {
        if (!hasWaiter(waiter)) {
            return;
        }
        remove(waiter);
        boolean runs = isProposal && callRunners.isStarted() && !ended;
        boolean continues = isProposal
                && !ended
                && (runs ? mayBeResumed() : facadeCaller.settings().lingers() || heldAsTask);
        // A client that returns nevertheless must not wait for a response that never arrives.
        waiter.respond(
                continues
                        ? CallResponseFactory.pending(
                                waiter.requestId(), key.target(), id, CallResponseFactory.REASON_CONNECTION_LOST, runs)
                        : RpcErrorCode.UNAVAILABLE.toResponse(
                                waiter.requestId(),
                                callRunners.isStarted()
                                        ? CallResponseFactory.CANCELLED_WHILE_AWAY
                                        : CallResponseFactory.RECONNECTED_TOO_LATE));
        if (!waiters.isEmpty() || heldAsTask) {
            return;
        }
        if (!continues) {
            giveUpHere(CallResponseFactory.REASON_CONNECTION_LOST);
            return;
        }
        leaveUnattended();
        if (!runs) {
            callerDisconnected = true;
            runWhenAccepted(
                    () -> presenceRecorder.recordLeft(facadeCaller.settings().maxLinger()));
        }
    }

    /** Whether the caller can get the result of a running call by calling again. */
    private boolean mayBeResumed() {
        return facadeCaller.settings().joinsRepeatedCalls()
                || facadeCaller.settings().keepOnDisconnect()
                || callAgainNote.isStarted();
    }

    /**
     * Handles that the token or membership of a client has ended. A running call finishes, and the caller can resume it
     * with another token. If the caller has lost its access, the gateway withdraws the proposal.
     *
     * @return whether the client still waited
     */
    boolean onWaiterReleased(CallWaiter waiter) {
        if (!hasWaiter(waiter)) {
            return false;
        }
        remove(waiter);
        if (waiters.isEmpty()) {
            released = true;
            if (isProposal && envelopeAccepted && !ended) {
                leaveUnattended();
                callAgainNote.recordThen(() -> {});
            }
        }
        return true;
    }

    /**
     * Gives up the call, unless a client may wait for it at another process. In this case, records that the caller left
     * here: the gateway withdraws the proposal soon, unless the other process records that the client waits there.
     */
    private void giveUpHere(String reason) {
        if (ended || !topicCalls.hasOtherProcesses() || otherProcesses.isEmpty()) {
            giveUp(reason);
            return;
        }
        leaveUnattended();
        if (!callRunners.isStarted()) {
            callerDisconnected = true;
            runWhenAccepted(() -> presenceRecorder.recordLeft(Optional.of(CANCEL_GRACE)));
        }
    }

    /** Cancels a call that was answered with a request for input, and that its server may still run. */
    public void cancelSuspended(String reason) {
        callRunners.cancel(reason);
    }

    /** Withdraws the proposal, or cancels the running call. */
    private void giveUp(String reason) {
        cancelReason = reason;
        if (ended || !envelopeAccepted) {
            return;
        }
        if (!callRunners.isStarted()) {
            withdrawOrKeep(reason);
        } else {
            callRunners.cancel(reason);
            if (!isProposal) {
                recordGivenUp(CallOutcome.CANCELLED);
                markEnded();
            }
        }
    }

    /**
     * Withdraws the proposal. A reviewer may have approved it in the meantime. So an equal call waits for the result: it
     * is a new call only if the proposal is withdrawn.
     */
    private void withdrawOrKeep(String reason) {
        withdrawing = true;
        topicCalls.proposalFollowUpSender().withdraw(facadeCaller, id, reason, withdrawn -> {
            withdrawing = false;
            if (withdrawn) {
                topicCalls.joinableCalls().remove(this);
            }
            List<Runnable> actions = List.copyOf(whenWithdrawalSettled);
            whenWithdrawalSettled.clear();
            actions.forEach(Runnable::run);
        });
    }

    /** Records the end of a call without a proposal; of other calls, the gateway itself knows the end. */
    private void recordGivenUp(CallOutcome outcome) {
        topicCalls.topic().recordGivenUp(id, caller().id(), outcome);
    }
}
