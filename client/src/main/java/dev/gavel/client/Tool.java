package dev.gavel.client;

/**
 * The callback interface that a tool server implements to answer requests for one tool or method. Called on threads of
 * its own, for several requests at the same time, so it must be thread-safe; it may take its time, but a topic bounds
 * how long an answer is waited for.
 */
@FunctionalInterface
public interface Tool {
    /**
     * The answer to a request. An exception is answered too, as a failure; what it says goes to the log of this program
     * alone, since it may not be meant for others. {@link Answer#failed} tells them what to do.
     */
    Answer call(ToolRequest request) throws Exception;
}
