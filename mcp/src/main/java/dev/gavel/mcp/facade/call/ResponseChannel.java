package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcMessage;

/**
 * The channel on which one client request receives its notifications and finally its response. Confined to the topic's
 * loop.
 */
public interface ResponseChannel {
    /** Whether somebody reads it now. */
    boolean hasReader();

    /** Whether nothing follows, because it was answered or nobody wants it any more. */
    boolean isClosed();

    /** Lets the client see that its request is taken, and takes a while. */
    void start();

    /** Sends a message that is not the last. */
    default void send(RpcMessage message) {
        send(message.line());
    }

    /** Sends a message that is one line already, and not the last. */
    void send(String line);

    /** Sends a message that is not the last, and that the next of its kind makes worthless. */
    default void sendReplaceable(RpcMessage message) {
        send(message);
    }

    /** Sends the last message: the answer. */
    void complete(RpcMessage message);

    /** Ends it without an answer. */
    void close();
}
