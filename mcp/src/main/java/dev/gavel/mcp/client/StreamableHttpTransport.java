package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges messages with an MCP server over Streamable HTTP and chooses the stateful or the stateless transport for
 * each message. A message says by itself whether it is of the new kind or the old, and each kind is sent in its own
 * manner, one beside the other. A request that gets no answer from the server gets one from here. Thread-safe.
 */
public final class StreamableHttpTransport implements McpTransport {
    static final String CANCELLED = "notifications/cancelled";

    private final HttpTransportContext context;
    private final StatefulHttpTransport stateful;
    private final StatelessHttpTransport stateless;

    /** Who decides what becomes of a connection in trouble. */
    public interface ConnectionListener {
        /**
         * The server has ended the session.
         *
         * @param refused the message it said so about, which it did not take; nothing where it was asked for news
         */
        void onSessionExpired(Optional<RpcMessage> refused);

        /** Nobody answers at the server's address. A request that was to be sent has been answered. */
        void onUnreachable(String why);

        /**
         * The stream of a request of the new kind broke before its answer came.
         *
         * @return whether the request is seen to; otherwise it is answered with an error
         */
        default boolean onStreamBroken(RpcMessage.Request request, String why) {
            return false;
        }
    }

    /** A way that is lost when the session ends, or nobody answers. */
    StreamableHttpTransport(String name, McpHttpEndpoint endpoint) {
        this(name, endpoint, null);
    }

    /** A way whose troubles are somebody else's. */
    public StreamableHttpTransport(
            String name, McpHttpEndpoint endpoint, @Nullable ConnectionListener connectionListener) {
        this.context = new HttpTransportContext(
                name, endpoint, connectionListener == null ? new CloseOnFailure() : connectionListener);
        this.stateful = new StatefulHttpTransport(context);
        this.stateless = new StatelessHttpTransport(context);
    }

    private final class CloseOnFailure implements ConnectionListener {
        private final AtomicBoolean lost = new AtomicBoolean();

        @Override
        public void onSessionExpired(Optional<RpcMessage> refused) {
            closeOnce("the server has ended the session");
        }

        @Override
        public void onUnreachable(String why) {
            closeOnce(why);
        }

        private void closeOnce(String why) {
            Receiver to = context.receiver();
            if (to != null && lost.compareAndSet(false, true)) {
                to.onClose(why);
            }
        }
    }

    @Override
    public void open(Receiver to) {
        context.open(to);
    }

    /** Forgets the session of the old kind; the next message of that kind must be one that begins another. */
    public void resetSession() {
        stateful.resetSession();
    }

    /** Whether a message is of the new kind: it says itself which version it is of. */
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
            context.httpClient.close();
        }
    }
}
