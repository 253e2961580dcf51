package dev.gavel.bench.mcp;

import java.io.IOException;

/** MCP client of the benchmark that sends one request at a time, over HTTP or standard input and output. */
interface BenchMcpClient extends AutoCloseable {
    /** Sends a request and returns its response. */
    String request(String request) throws IOException;

    @Override
    void close() throws IOException;
}
