package dev.gavel.bench.mcp;

import java.io.IOException;

/** A set of tool calls that wait for approval at the same time and are then all approved. Used by one thread. */
interface WaitingCalls extends AutoCloseable {
    /** Makes all calls, and returns when all of them wait. */
    void startAll(ApprovingReviewer reviewer) throws IOException, InterruptedException;

    /** Approves all calls, and returns when the clients have every result. */
    void approveAll(ApprovingReviewer reviewer) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
