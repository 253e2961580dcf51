package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;

/**
 * A connection that carries JSON-RPC messages between a client session and one MCP server. It carries messages and does
 * not read into them more than it must. Opened once, closed once; otherwise thread-safe.
 */
public interface McpTransport extends AutoCloseable {
    /**
     * Opens the way; may wait.
     *
     * @param receiver is told what comes
     * @throws IOException where there is none, with a message that says why
     */
    void open(Receiver receiver) throws IOException;

    /**
     * Sends a message; never waits.
     *
     * @throws IOException where it cannot be sent, with a message that says why
     */
    void send(RpcMessage message) throws IOException;

    /** Closes the way and ends what it started; waits until that is done, for a bounded time. */
    @Override
    void close();

    /** Who is told what comes. Called by one thread after another or by several at once, and may be kept waiting. */
    interface Receiver {
        /** The server says something. Where a request of ours cannot be answered, the transport answers it itself. */
        void onMessage(RpcMessage message);

        /** The way is lost: nothing comes any more. Told once at most, and not where it was closed by us. */
        void onClose(String why);
    }
}
