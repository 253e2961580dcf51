package dev.gavel.bench.mcp;

import java.io.IOException;

/** Calls that wait for approval at once. Used by one thread. */
interface WaitingCalls extends AutoCloseable {
    /** Makes all calls, and returns when all wait. */
    void startAll(ApprovingReviewer reviewer) throws IOException, InterruptedException;

    /** Has all approved, and returns when whoever called has every result. */
    void approveAll(ApprovingReviewer reviewer) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
