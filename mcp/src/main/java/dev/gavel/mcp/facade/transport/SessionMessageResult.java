package dev.gavel.mcp.facade.transport;

/**
 * The immediate result of a message in a stateful MCP session, such as accepted or session not found; determines the
 * HTTP status.
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
