package dev.gavel.client;

/**
 * The callback that a tool server implements to answer requests for one tool or method. The client calls it on virtual
 * threads, for several requests at the same time, so it must be thread-safe. It may block, but the topic limits how
 * long the gateway waits for an answer.
 */
@FunctionalInterface
public interface ToolHandler {
    /**
     * Returns the answer to a request. If it throws, the client answers with a failure and logs the exception in this
     * program only, since its message may not be meant for other participants. To explain a failure to the requester,
     * return {@link Answer#failed}.
     */
    Answer call(IncomingToolRequest request) throws Exception;
}
