package dev.gavel.bench.mcp;

import java.io.IOException;

/** One way to call a tool, used by one thread. */
interface BenchMcpClient extends AutoCloseable {
    /** Sends a request, and returns its answer. */
    String request(String request) throws IOException;

    @Override
    void close() throws IOException;
}
