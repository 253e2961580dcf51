package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;

/**
 * Sends the notifications and the response of one stateless request to its client, and closes for good when the client
 * disconnects. Confined to the topic's loop.
 */
final class StatelessResponseChannel implements ResponseChannel {
    private static final String NO_EVENT_ID = "";

    private final String method;
    private final StatelessResultFormatter statelessResultFormatter;
    private final McpResponseWriter mcpResponseWriter;
    private boolean started;
    private boolean closed;

    StatelessResponseChannel(
            String method, StatelessResultFormatter statelessResultFormatter, McpResponseWriter mcpResponseWriter) {
        this.method = method;
        this.statelessResultFormatter = statelessResultFormatter;
        this.mcpResponseWriter = mcpResponseWriter;
    }

    @Override
    public boolean hasReader() {
        return !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void start() {
        if (!started && !closed) {
            started = true;
            mcpResponseWriter.start(NO_EVENT_ID);
        }
    }

    @Override
    public void send(String line) {
        start();
        if (!closed) {
            mcpResponseWriter.send(NO_EVENT_ID, line, false);
        }
    }

    @Override
    public void complete(RpcMessage message) {
        RpcMessage answer = statelessResultFormatter.formatForwarded(method, message);
        if (!started
                && answer instanceof RpcMessage.ErrorResponse errorResponse
                && errorResponse.code() == RpcErrorCode.MISSING_CAPABILITY.code()) {
            // MCP requires the HTTP status to show this error, whether the facade or a participant detected it.
            refuse(McpResponseWriter.RefusalReason.MALFORMED, errorResponse);
        } else {
            sendLast(answer);
        }
    }

    /** Sends a response that the facade itself created. */
    void completeLocally(RpcMessage message) {
        sendLast(statelessResultFormatter.formatLocal(method, message));
    }

    private void sendLast(RpcMessage message) {
        if (!closed) {
            closed = true;
            mcpResponseWriter.send(NO_EVENT_ID, message.line(), true);
        }
    }

    /** Refuses the request. Must be called before any message was sent. */
    void refuse(McpResponseWriter.RefusalReason refusalReason, RpcMessage.ErrorResponse errorResponse) {
        if (!closed) {
            closed = true;
            mcpResponseWriter.refuse(refusalReason, errorResponse.line());
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            mcpResponseWriter.end();
        }
    }
}
