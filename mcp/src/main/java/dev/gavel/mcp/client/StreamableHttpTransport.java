package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges messages with an MCP server over Streamable HTTP and chooses the stateful or the stateless transport for
 * each message. Each request shows by its metadata which protocol it belongs to, and both may be used side by side. A
 * request that gets no response from the server gets an error response from this transport. Thread-safe.
 */
public final class StreamableHttpTransport implements McpTransport {
    static final String CANCELLED = "notifications/cancelled";

    private final HttpTransportContext context;
    private final StatefulHttpTransport stateful;
    private final StatelessHttpTransport stateless;

    /** Decides how to react to a failing connection. */
    public interface ConnectionListener {
        /**
         * Called when the server has ended the session.
         *
         * @param refusedMessage the message that the server refused for that reason; empty if it refused the stream of server
         *     messages
         */
        void onSessionExpired(Optional<RpcMessage> refusedMessage);

        /** Called when the server is unreachable. A request that was to be sent has already received a response. */
        void onUnreachable(String reason);

        /**
         * Called when the stream of a stateless request broke before its response arrived.
         *
         * @return whether the listener handles the request; otherwise it receives an error response
         */
        default boolean onStreamBroken(RpcMessage.Request request, String reason) {
            return false;
        }
    }

    /** Creates a transport that closes when the session ends or the server is unreachable. */
    StreamableHttpTransport(String name, HttpServerTarget endpoint, int maxMessageBytes) {
        this(name, endpoint, maxMessageBytes, null);
    }

    /**
     * Creates a transport that reports connection failures to the listener.
     *
     * @param maxMessageBytes the maximum length of a message of the server
     */
    public StreamableHttpTransport(
            String name,
            HttpServerTarget endpoint,
            int maxMessageBytes,
            @Nullable ConnectionListener connectionListener) {
        this.context = new HttpTransportContext(
                name,
                endpoint,
                maxMessageBytes,
                connectionListener == null ? new CloseOnFailure() : connectionListener);
        this.stateful = new StatefulHttpTransport(context);
        this.stateless = new StatelessHttpTransport(context);
    }

    private final class CloseOnFailure implements ConnectionListener {
        private final AtomicBoolean closeNotified = new AtomicBoolean();

        @Override
        public void onSessionExpired(Optional<RpcMessage> refusedMessage) {
            closeOnce("the server ended the session");
        }

        @Override
        public void onUnreachable(String reason) {
            closeOnce(reason);
        }

        private void closeOnce(String reason) {
            Receiver receiver = context.receiver();
            if (receiver != null && closeNotified.compareAndSet(false, true)) {
                receiver.onClose(reason);
            }
        }
    }

    @Override
    public void open(Receiver receiver) {
        context.open(receiver);
    }

    /** Discards the stateful session. The next stateful message must start another one. */
    public void resetSession() {
        stateful.resetSession();
    }

    /** Whether a request is stateless: it carries its protocol version. */
    public static boolean isStateless(RpcMessage.Request request) {
        return StatelessHttpTransport.version(request).isPresent();
    }

    @Override
    public void send(RpcMessage message) throws IOException {
        if (context.isClosed()) {
            throw new IOException("the connection is closed");
        }
        if (message instanceof RpcMessage.Request request && isStateless(request)) {
            stateless.send(request);
        } else if (!cancelStateless(message)) {
            stateful.send(message);
        }
    }

    private boolean cancelStateless(RpcMessage message) {
        return message instanceof RpcMessage.Notification notification
                && notification.method().equals(CANCELLED)
                && notification
                        .params()
                        .flatMap(raw -> RawJsonEditor.at(raw, "requestId"))
                        .filter(stateless::cancel)
                        .isPresent();
    }

    @Override
    public void close() {
        if (context.close()) {
            stateful.close();
            context.requestSender.close();
        }
    }
}
