package dev.gavel.mcp.facade;

/**
 * The port to one open answer of a transport: messages go out here, in order. Called on the topic's loop, which it must not
 * hold up.
 */
public interface Sink {
    /** What is sent here will take a while: whoever waits had better see that something has begun. */
    void begin(String eventId);

    /**
     * Sends a message.
     *
     * @param eventId where a client that is cut off can go on from
     * @param last whether nothing follows
     */
    void send(String eventId, String message, boolean last);

    /** Nothing follows. */
    void end();
}
