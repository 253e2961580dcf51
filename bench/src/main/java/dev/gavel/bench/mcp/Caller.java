package dev.gavel.bench.mcp;

import java.io.IOException;

/** One way to call a tool, used by one thread. */
interface Caller extends AutoCloseable {
    /** Sends a request, and returns its answer. */
    String ask(String request) throws IOException;

    @Override
    void close() throws IOException;
}
