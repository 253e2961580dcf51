package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;

/**
 * The channel on which one client request receives its notifications and finally its response. Confined to the topic's
 * loop.
 */
public interface ResponseChannel {
    /** Whether a client currently reads the channel. */
    boolean hasReader();

    /** Whether no message follows, because the request was answered or cancelled. */
    boolean isClosed();

    /** Starts the response, so that the client sees that its request is in progress. */
    void start();

    /** Sends a message that is not the last one. */
    default void send(RpcMessage message) {
        send(message.line());
    }

    /** Sends a message that is already a single line and not the last one. */
    void send(String line);

    /** Sends a message that is not the last one and that the next one of its kind may replace. */
    default void sendReplaceable(RpcMessage message) {
        send(message);
    }

    /** Sends the last message, the response. */
    void complete(RpcMessage message);

    /** Closes the channel without a response. */
    void close();
}
