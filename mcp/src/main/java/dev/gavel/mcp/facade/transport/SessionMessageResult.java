package dev.gavel.mcp.facade.transport;

/**
 * The facade's immediate result for a message of a stateful MCP session, which determines the HTTP status: started,
 * response follows, accepted, not found or invalid.
 */
public sealed interface SessionMessageResult {
    /** A session began, under this id; its first answer follows. */
    record SessionStarted(String sessionId) implements SessionMessageResult {}

    /** An answer follows. */
    record ResponseFollows() implements SessionMessageResult {}

    /** There is nothing to answer. */
    record Accepted() implements SessionMessageResult {}

    /** There is no such session: the client has to begin another. */
    record SessionNotFound() implements SessionMessageResult {}

    /** It cannot be taken as it is; why is fit to be shown to whoever sent it. */
    record BadRequest(String reason) implements SessionMessageResult {}
}
