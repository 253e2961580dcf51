package dev.gavel.mcp.facade.transport;

/**
 * The interface through which the facade writes its messages for one client request to the open response; the HTTP
 * layer implements it. Called on the topic's loop, which it must not hold up.
 */
public interface McpResponseWriter {
    /** What is wrong with a request that is refused. */
    enum RefusalReason {
        /** It is not as it must be. */
        MALFORMED,
        /** There is no such method. */
        NO_SUCH_METHOD,
        /** The client takes no stream, and there is nothing but a stream to send. */
        NOT_ACCEPTABLE
    }

    /** Whether more than the answer can be sent. */
    boolean supportsStreaming();

    /**
     * What is sent here will take a while: whoever waits had better see that something has begun.
     *
     * @param eventId where a client that is cut off can go on from; empty where it cannot
     */
    void start(String eventId);

    /**
     * Sends a message.
     *
     * @param eventId where a client that is cut off can go on from; empty where it cannot
     * @param last whether nothing follows
     */
    void send(String eventId, String message, boolean last);

    /** Refuses the request with an error, before anything else was sent; nothing follows. */
    void refuse(RefusalReason refusalReason, String message);

    /** Nothing follows. */
    void end();
}
