package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.util.Optional;

/**
 * A connection that carries JSON-RPC messages between a client session and one MCP server. It interprets messages no
 * more than necessary. Opened once, closed once; otherwise thread-safe.
 */
public interface McpTransport extends AutoCloseable {
    /**
     * Opens the connection. May block.
     *
     * @param receiver receives the server's messages
     * @throws IOException if there is no connection, with a message that gives the reason
     */
    void open(Receiver receiver) throws IOException;

    /**
     * Sends a message without blocking.
     *
     * @throws IOException if the message cannot be sent, with a message that gives the reason
     */
    void send(RpcMessage message) throws IOException;

    /** Closes the connection and ends what it started. Blocks until that is done, for a bounded time. */
    @Override
    void close();

    /** Receives the server's messages. May be called by several threads at once, and may block them. */
    interface Receiver {
        /**
         * Called for each message of the server. If a request cannot get a response from the server, the transport
         * creates an error response.
         */
        void onMessage(RpcMessage message);

        /**
         * Called when a message of the server is too long or cannot be read, with the problem. If it is a response, its
         * request gets an error as well.
         */
        default void onUndeliverable(String problem) {}

        /**
         * Called for each request of the server.
         *
         * @param relatedRequest the id of the client's request that the server is handling, if the transport shows it
         */
        default void onRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
            onMessage(request);
        }

        /** Called at most once when the connection is lost, and not if the client closed it. No message follows. */
        void onClose(String reason);
    }
}
