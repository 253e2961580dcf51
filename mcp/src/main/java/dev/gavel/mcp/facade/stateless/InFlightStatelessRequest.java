package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.ProgressNotificationFactory;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stateless client request in progress, with its call or listen subscription. Confined to the topic's loop.
 */
final class InFlightStatelessRequest implements InFlightClientRequest {
    private final StatelessRequest statelessRequest;
    private final FacadeCaller facadeCaller;
    private final AuthenticatedClient authenticatedClient;
    private final StatelessResponseChannel response;
    private final Runnable onRevoked;
    private final TaskRequestHandler taskRequestHandler;
    private final @Nullable ProgressNotificationFactory progressNotifications;
    private @Nullable CallWaiter callWaiter;
    private @Nullable ListenSubscription listenSubscription;
    private @Nullable String taskId;

    /**
     * Creates the state of a request that was just received.
     *
     * @param supportsStreaming whether the client accepts messages before the response
     * @param onRevoked terminates the request, on the topic's loop, when the client's credential is revoked
     */
    InFlightStatelessRequest(
            StatelessRequest statelessRequest,
            FacadeCaller caller,
            AuthenticatedClient authenticatedClient,
            StatelessResponseChannel response,
            boolean supportsStreaming,
            TaskRequestHandler taskRequestHandler,
            Runnable onRevoked) {
        this.statelessRequest = statelessRequest;
        this.facadeCaller = caller;
        this.authenticatedClient = authenticatedClient;
        this.response = response;
        this.taskRequestHandler = taskRequestHandler;
        this.onRevoked = onRevoked;
        this.progressNotifications =
                supportsStreaming ? ProgressNotificationFactory.of(statelessRequest.params()) : null;
        authenticatedClient.accessGrant().onRevoke(onRevoked);
    }

    StatelessRequest request() {
        return statelessRequest;
    }

    FacadeCaller caller() {
        return facadeCaller;
    }

    @Override
    public String id() {
        return statelessRequest.id();
    }

    @Override
    public StatelessResponseChannel response() {
        return response;
    }

    @Override
    public @Nullable ProgressNotificationFactory progress() {
        return progressNotifications;
    }

    @Override
    public void onCallStarted(CallWaiter waiter) {
        callWaiter = waiter;
    }

    /** Returns the request as a waiter for the call that was made for it, or null if there is no call. */
    @Nullable
    CallWaiter callWaiter() {
        return callWaiter;
    }

    /** Returns the listen subscription of the request, or null if it is not a listen request. */
    @Nullable
    ListenSubscription listenSubscription() {
        return listenSubscription;
    }

    void setListenSubscription(ListenSubscription subscription) {
        listenSubscription = subscription;
    }

    @Override
    public void respond(RpcMessage answer) {
        if (answer instanceof RpcMessage.ErrorResponse errorResponse
                && errorResponse.code() == RpcErrorCode.METHOD_NOT_FOUND.code()) {
            response.refuse(McpResponseWriter.RefusalReason.NO_SUCH_METHOD, errorResponse);
        } else if (answer instanceof RpcMessage.ErrorResponse errorResponse && isMalformed(errorResponse.code())) {
            response.refuse(McpResponseWriter.RefusalReason.MALFORMED, errorResponse);
        } else {
            response.completeLocally(answer);
        }
        removeRevokeCallback();
    }

    private static boolean isMalformed(long code) {
        return code == RpcErrorCode.HEADER_MISMATCH.code() || code == RpcErrorCode.MISSING_CAPABILITY.code();
    }

    @Override
    public void onCallDone(CallWaiter waiter) {
        removeRevokeCallback();
    }

    @Override
    public boolean acceptsTask(String method) {
        return statelessRequest.supportsTasks() && TaskRequestHandler.TASK_METHOD.equals(method);
    }

    @Override
    public void onProposed(String proposal) {
        taskId = proposal;
        taskRequestHandler.respondWithTask(facadeCaller, proposal, this);
    }

    /** Returns the id of the task with which the request was answered, if any. */
    Optional<String> taskId() {
        return Optional.ofNullable(taskId);
    }

    /** Cancels the request because its client has disconnected. */
    void abandon(String reason) {
        CallWaiter waiter = callWaiter;
        if (waiter != null && !response.isClosed()) {
            waiter.cancel(reason);
        }
        response.close();
        close();
    }

    private void close() {
        if (listenSubscription != null) {
            listenSubscription.close();
        }
        removeRevokeCallback();
    }

    /** Ends the request of a connected client that has lost its access, or because the gateway is stopping. */
    void terminate(String reason) {
        if (listenSubscription != null) {
            listenSubscription.complete();
        } else if (!response.isClosed()) {
            RpcMessage accessEnded = CallResponseFactory.accessEnded(id(), reason);
            if (callWaiter == null || !callWaiter.isWaiting()) {
                response.completeLocally(accessEnded);
            } else {
                callWaiter.release(accessEnded);
            }
        }
        close();
    }

    private void removeRevokeCallback() {
        authenticatedClient.accessGrant().removeCallback(onRevoked);
    }
}
