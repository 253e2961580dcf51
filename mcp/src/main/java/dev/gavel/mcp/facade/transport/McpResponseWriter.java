package dev.gavel.mcp.facade.transport;

/**
 * Writes the facade's messages for one client request to the open HTTP response; the HTTP layer implements this
 * interface. Called on the topic's loop, which it must not block.
 */
public interface McpResponseWriter {
    /** Why a request is refused. */
    enum RefusalReason {
        /** The request is not valid. */
        MALFORMED,
        /** The method does not exist. */
        NO_SUCH_METHOD,
        /** The client does not accept a stream, and the response can only be a stream. */
        NOT_ACCEPTABLE
    }

    /** Whether messages can be sent before the response. */
    boolean supportsStreaming();

    /**
     * Starts a response that will take a while, so that the client sees that the request is in progress.
     *
     * @param eventId the position from which a disconnected client can resume; empty if it cannot
     */
    void start(String eventId);

    /**
     * Sends a message.
     *
     * @param eventId the position from which a disconnected client can resume; empty if it cannot
     * @param last whether no message follows
     */
    void send(String eventId, String message, boolean last);

    /** Refuses the request with an error, before any other message was sent. No message follows. */
    void refuse(RefusalReason refusalReason, String message);

    /** Ends the response. No message follows. */
    void end();
}
