package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;

/**
 * A client's request that a pending call answers: its id, response channel, progress token, and callbacks for the
 * call's events. Confined to the topic's loop.
 */
public interface ClientRequest {
    /** The request's id, as the client wrote it. */
    String id();

    /** Where the answer goes. */
    ResponseChannel response();

    /** What it is told meanwhile; null where it did not ask to be. */
    @Nullable
    CallProgress progress();

    /** A call is under way for it. */
    void onCallPlaced(PendingCall call);

    /** No call was placed for it; this is the answer. */
    void respond(RpcMessage answer);

    /** The call is answered, parked or given up: the client waits no more. */
    void onCallDone(PendingCall call);

    /** The call has found that nobody reads what it will answer. */
    default void onResponseUnread(PendingCall call) {}

    /** Whether it would rather have the id of a proposal for such a call at once, and ask for it later, than wait. */
    default boolean acceptsTask(String method) {
        return false;
    }

    /** What it asked for is proposed, and kept, under this id; it waits no more. */
    default void onProposed(String proposal) {
        throw new UnsupportedOperationException("this client waits");
    }
}
