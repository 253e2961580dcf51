package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Message;

/** Where a client's request is answered: messages that belong to it, then the answer. Confined to the topic's loop. */
public interface Reply {
    /** Whether somebody reads it now. */
    boolean read();

    /** Whether nothing follows, because it was answered or nobody wants it any more. */
    boolean over();

    /** Lets the client see that its request is taken, and takes a while. */
    void begin();

    /** Sends a message that is not the last. */
    default void send(Message message) {
        send(message.line());
    }

    /** Sends a message that is one line already, and not the last. */
    void send(String line);

    /** Sends a message that is not the last, and that the next of its kind makes worthless. */
    default void update(Message message) {
        send(message);
    }

    /** Sends the last message: the answer. */
    void finish(Message message);

    /** Ends it without an answer. */
    void end();
}
