package dev.gavel.mcp.facade.transport;

/**
 * The facade's immediate result for a stateful session's message, such as accepted or session not found, which
 * determines the HTTP status.
 */
public sealed interface SessionMessageResult {
    /** A session was started under this id, and its first response follows. */
    record SessionStarted(String sessionId) implements SessionMessageResult {}

    /** A response follows. */
    record ResponseFollows() implements SessionMessageResult {}

    /** The message needs no response. */
    record Accepted() implements SessionMessageResult {}

    /** The session does not exist. The client has to start another one. */
    record SessionNotFound() implements SessionMessageResult {}

    /** The message is not valid. The reason may be shown to the sender. */
    record BadRequest(String reason) implements SessionMessageResult {}
}
