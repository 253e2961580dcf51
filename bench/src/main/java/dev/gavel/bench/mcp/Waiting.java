package dev.gavel.bench.mcp;

import java.io.IOException;

/** Calls that wait for approval at once. Used by one thread. */
interface Waiting extends AutoCloseable {
    /** Makes all calls, and returns when all wait. */
    void gather(Reviewer reviewer) throws IOException, InterruptedException;

    /** Has all approved, and returns when whoever called has every result. */
    void release(Reviewer reviewer) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
