package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * One client request that waits for the result of a {@link PendingCall}. Several requests of a caller can wait for the
 * same call, if the caller repeats it. Confined to the topic's loop.
 */
public final class CallWaiter {
    /**
     * When the response stream of a direct call is started, so that the client sees that the request is in progress.
     */
    private static final long STREAM_START_DELAY_MILLIS = 1_000;

    private final TopicCalls topicCalls;
    private final PendingCall pendingCall;
    private final FacadeCaller facadeCaller;
    private final InFlightClientRequest clientRequest;
    private final RestartableTimer timer;
    private final @Nullable WaiterStatusReporter statusReporter;

    /** Whether the client repeated a call that was in progress. */
    private final boolean joined;

    CallWaiter(
            TopicCalls topicCalls,
            PendingCall call,
            FacadeCaller caller,
            InFlightClientRequest clientRequest,
            boolean joined) {
        this.topicCalls = topicCalls;
        this.pendingCall = call;
        this.facadeCaller = caller;
        this.clientRequest = clientRequest;
        this.joined = joined;
        this.timer = new RestartableTimer(topicCalls);
        ProgressNotificationFactory progress = clientRequest.progress();
        this.statusReporter = progress == null
                ? null
                : new WaiterStatusReporter(topicCalls, call, clientRequest.response(), progress);
    }

    /** Returns the call that the client waits for. */
    public PendingCall call() {
        return pendingCall;
    }

    FacadeCaller caller() {
        return facadeCaller;
    }

    InFlightClientRequest clientRequest() {
        return clientRequest;
    }

    /** Returns the id of the client's request as raw JSON. */
    String requestId() {
        return clientRequest.id();
    }

    boolean isJoined() {
        return joined;
    }

    /** Whether the client is connected. If it is not, it may still return. */
    boolean hasReader() {
        return clientRequest.response().hasReader();
    }

    /** Starts the timers for a call that the gateway has accepted, according to what the client supports. */
    void startWaiting() {
        if (!hasReader()) {
            clientRequest.onResponseUnread(this);
        }
        if (!pendingCall.isProposed()) {
            timer.schedule(STREAM_START_DELAY_MILLIS, clientRequest.response()::start);
            return;
        }
        clientRequest.response().start();
        if (topicCalls.isDraining() && pendingCall.isUndecided()) {
            pendingCall.respondPendingWithStatus(this);
            return;
        }
        if (statusReporter != null) {
            statusReporter.reportStatus();
        }
        if (statusReporter == null || facadeCaller.settings().holdsWithProgress()) {
            timer.schedule(
                    facadeCaller.settings().maxWait().toMillis(), () -> pendingCall.respondPendingWithStatus(this));
        }
    }

    /** Sends the current status to a client that asked for progress. */
    void reportStatus() {
        if (statusReporter != null) {
            statusReporter.reportStatus();
        }
    }

    /** Forwards the tool's own progress to a client that asked for it. */
    void forwardToolProgress(Json params) {
        if (statusReporter != null) {
            statusReporter.forwardToolProgress(params);
        }
    }

    /** Ends all timers and notifications. */
    void stop() {
        timer.cancel();
        if (statusReporter != null) {
            statusReporter.stop();
        }
    }

    /** Sends the response to the client. The call itself may continue. */
    void respond(RpcMessage response) {
        stop();
        clientRequest.response().complete(response);
        clientRequest.onCallDone(this);
    }

    private void closeWithoutResponse() {
        stop();
        clientRequest.response().close();
        clientRequest.onCallDone(this);
    }

    /** Handles a cancellation by the client: it gets no response. */
    public void cancel(String reason) {
        pendingCall.onWaiterCancelled(this, reason);
        closeWithoutResponse();
    }

    /** Answers the client, whose token or membership has ended. The call continues without it. */
    public void release(RpcMessage response) {
        if (pendingCall.onWaiterReleased(this)) {
            respond(response);
        }
    }

    /** Gives up the client if it is disconnected and did not return in time. */
    public void onAbandoned() {
        if (!hasReader()) {
            pendingCall.onWaiterLost(this);
        }
    }

    /** Handles that the client may read its response again, after it had been disconnected. */
    public void onReaderAttached() {
        if (isWaiting() && hasReader()) {
            pendingCall.onWaiterReturned();
        }
    }

    /** Handles that the client received the result, after it had been disconnected when the call ended. */
    public void onDelivered() {
        pendingCall.onWaiterReceivedResult();
    }

    /** Handles that the client disconnected before it received the result that was written to it. */
    public void onUndelivered() {
        pendingCall.onWaiterMissedResult();
    }

    /** Whether the client still waits for a response. */
    public boolean isWaiting() {
        return pendingCall.hasWaiter(this);
    }
}
