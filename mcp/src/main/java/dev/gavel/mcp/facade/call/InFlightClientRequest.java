package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;

/**
 * An MCP client's request that is still being answered, with its response channel, progress notifications and callbacks
 * for the call made for it. Confined to the topic's loop.
 */
public interface InFlightClientRequest {
    /** Returns the request's id as raw JSON. */
    String id();

    /** Returns the channel for the response. */
    ResponseChannel response();

    /** Returns the progress to report, or null if the client did not ask for it. */
    @Nullable
    ProgressNotificationFactory progress();

    /** Called when a call is in progress for the request. */
    void onCallStarted(CallWaiter waiter);

    /** Responds to a request for which no call is in progress. */
    void respond(RpcMessage answer);

    /** Called when the client does not wait for the call any more. */
    void onCallDone(CallWaiter waiter);

    /** Called when the call finds that no client reads the response channel. */
    default void onResponseUnread(CallWaiter waiter) {}

    /**
     * Whether the client prefers to receive the proposal's id at once as a task, and to poll it, instead of waiting.
     */
    default boolean acceptsTask(String method) {
        return false;
    }

    /** Called when the call is proposed and stored under this id. The client does not wait any more. */
    default void onProposed(String proposal) {
        throw new UnsupportedOperationException("this client does not accept tasks");
    }
}
