package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client session with an MCP server: negotiates the protocol, sends requests and notifications, and matches responses
 * to requests. Passes the server's requests for input to its listener. Thread-safe.
 */
public final class McpClientSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(McpClientSession.class);

    /** How long the server may take to respond in the newest version before {@code initialize} is tried as well. */
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

    private final McpTransport transport;
    private final SessionListener listener;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Consumer<RpcMessage.Response>> openRequests = new LinkedHashMap<>();
    private @Nullable String closeReason;
    private boolean open;
    private volatile @Nullable NegotiatedProtocol protocol;

    /** Receives the server's notifications and the end of the session. */
    public interface SessionListener {
        /** Called for each notification of the server. */
        void onNotification(RpcMessage.Notification notification);

        /** Called when a message of the server is too long or cannot be read, with the problem. */
        default void onUndeliverable(String problem) {}

        /**
         * Called for each request of the server, other than a ping, in a session of a stateful protocol.
         *
         * @param relatedRequest the id of the request that the server is handling, if the transport shows it
         * @return whether the listener calls {@link #respond}; otherwise the server gets an error
         */
        default boolean onRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
            return false;
        }

        /** Called at most once, when the session has ended and all open requests have received a response. */
        void onClose(String reason);
    }

    private McpClientSession(McpTransport transport, SessionListener sessionListener) {
        this.transport = transport;
        this.listener = sessionListener;
    }

    /**
     * Opens the transport and negotiates the protocol. Blocks until that is done.
     *
     * @param server creates a transport; called twice if the server must be restarted for the negotiated protocol
     * @param client how the session identifies itself, as MCP's {@code clientInfo}
     * @throws IOException if that fails, with a message that gives the reason
     */
    public static McpClientSession open(
            Supplier<McpTransport> server, SessionListener sessionListener, ClientInfo client, Duration timeout)
            throws IOException, InterruptedException {
        return open(server, sessionListener, client, new ProtocolNegotiator.Timeouts(timeout, PROBE_TIMEOUT));
    }

    static McpClientSession open(
            Supplier<McpTransport> server,
            SessionListener sessionListener,
            ClientInfo client,
            ProtocolNegotiator.Timeouts timeouts)
            throws IOException, InterruptedException {
        ProtocolNegotiator.Strategy strategy = ProtocolNegotiator.Strategy.STATELESS_FIRST;
        while (true) {
            McpClientSession session = new McpClientSession(server.get(), sessionListener);
            boolean done = false;
            try {
                session.transport.open(session.new TransportReceiver());
                switch (new ProtocolNegotiator(session, client, timeouts).negotiate(strategy)) {
                    case ProtocolNegotiator.NegotiationResult.Negotiated(NegotiatedProtocol negotiatedProtocol) -> {
                        session.activate(negotiatedProtocol);
                        done = true;
                        return session;
                    }
                    case ProtocolNegotiator.NegotiationResult.RestartRequired(
                            ProtocolNegotiator.Strategy newStrategy) -> strategy = newStrategy;
                }
            } finally {
                if (!done) {
                    session.transport.close();
                }
            }
        }
    }

    /** The name and version with which a client identifies itself. */
    public record ClientInfo(String name, String version) {
        String json() {
            return Json.write(json -> {
                        json.writeStartObject();
                        json.writeStringProperty("name", name);
                        json.writeStringProperty("version", version);
                        json.writeEndObject();
                    })
                    .raw();
        }
    }

    private synchronized void activate(NegotiatedProtocol negotiated) throws IOException {
        if (closeReason != null) {
            throw new IOException(closeReason);
        }
        protocol = negotiated;
        open = true;
    }

    synchronized boolean isClosed() {
        return closeReason != null;
    }

    private NegotiatedProtocol protocol() {
        NegotiatedProtocol negotiated = protocol;
        if (negotiated == null) {
            throw new IllegalStateException("the protocol version is not negotiated yet");
        }
        return negotiated;
    }

    /** Returns the negotiated MCP version. */
    public String version() {
        return protocol().version();
    }

    /** Whether the protocol is stateless: each request carries all it needs, as in MCP 2026-07-28 and later. */
    public boolean isStateless() {
        return protocol().isStateless();
    }

    /** Returns the server's description of itself: {@code capabilities}, {@code instructions}, and so on. */
    public Json serverDescription() {
        return protocol().serverDescription();
    }

    /** Whether the server declares a capability: {@code tools}, {@code prompts}, {@code resources}. */
    public boolean hasCapability(String capability) {
        return serverDescription().at("capabilities").at(capability).isPresent();
    }

    /** Whether the server declares that it sends a notification when its tools change. */
    public boolean announcesToolChanges() {
        return serverDescription()
                .at("capabilities")
                .at("tools")
                .at("listChanged")
                .isTrue();
    }

    /** Returns a request id that is unique in this session. It also serves as a progress token. */
    public String nextId() {
        return Long.toString(ids.incrementAndGet());
    }

    /**
     * Sends a request of the bridge itself to the server.
     *
     * @param id from {@link #nextId}
     * @param callback receives the response, exactly once in every case; must not block
     */
    public void sendRequest(String id, String method, Optional<String> params, Consumer<RpcMessage.Response> callback) {
        sendRequest(id, method, params, false, callback);
    }

    /**
     * Sends a request to the server.
     *
     * @param id from {@link #nextId}
     * @param onOwnBehalf whether the sender makes the request for itself, so that the capabilities it declares count
     * @param callback receives the response, exactly once in every case; must not block
     */
    public void sendRequest(
            String id,
            String method,
            Optional<String> params,
            boolean onOwnBehalf,
            Consumer<RpcMessage.Response> callback) {
        sendUnprepared(id, method, protocol().prepareParams(params, onOwnBehalf), callback);
    }

    private void sendUnprepared(
            String id, String method, Optional<String> params, Consumer<RpcMessage.Response> callback) {
        String endReason;
        synchronized (this) {
            endReason = closeReason;
            if (endReason == null) {
                openRequests.put(id, callback);
            }
        }
        if (endReason != null) {
            callback.accept(RpcErrorCode.UNAVAILABLE.toResponse(id, endReason));
            return;
        }
        try {
            send(new RpcMessage.Request(id, method, params));
        } catch (IOException e) {
            onResponse(RpcErrorCode.UNAVAILABLE.toResponse(id, String.valueOf(e.getMessage())));
        }
    }

    /** Sends a request with its parameters unchanged, before a protocol is negotiated. */
    CompletableFuture<RpcMessage.Response> sendUnprepared(String method, Optional<String> params) {
        CompletableFuture<RpcMessage.Response> response = new CompletableFuture<>();
        sendUnprepared(nextId(), method, params, response::complete);
        return response;
    }

    void send(RpcMessage message) throws IOException {
        transport.send(message);
    }

    /** Sends a request and blocks until the response arrives or the time is up. A later response is dropped. */
    public RpcMessage.Response sendRequest(String method, Optional<String> params, Duration timeout)
            throws InterruptedException {
        String id = nextId();
        CompletableFuture<RpcMessage.Response> response = new CompletableFuture<>();
        sendRequest(id, method, params, response::complete);
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            ignoreResponse(id);
            return RpcErrorCode.UNAVAILABLE.toResponse(
                    id, "the server did not answer '" + method + "' within " + timeout.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether this request was sent and is not answered yet. */
    public synchronized boolean isAwaitingResponse(String id) {
        return openRequests.containsKey(id);
    }

    /** Drops the response to this request. Returns whether a response was expected. */
    public synchronized boolean ignoreResponse(String id) {
        return openRequests.remove(id) != null;
    }

    /** Sends a notification to the server, if it is reachable. */
    public void sendNotification(String method, String params) {
        try {
            transport.send(new RpcMessage.Notification(method, Optional.of(params)));
        } catch (IOException e) {
            log.debug("The notification '{}' was not sent: {}", method, e.getMessage());
        }
    }

    /** Responds to a request of the server, if the server is reachable. */
    public void respond(RpcMessage.Response response) {
        try {
            transport.send(response);
        } catch (IOException e) {
            log.debug("A request of the server was not answered: {}", e.getMessage());
        }
    }

    private void onResponse(RpcMessage.Response response) {
        Consumer<RpcMessage.Response> callback;
        Optional<String> number = Optional.empty();
        synchronized (this) {
            callback = openRequests.remove(response.id());
            if (callback == null) {
                number = ResponseIds.numberIn(response.id());
                callback = number.map(openRequests::remove).orElse(null);
            }
        }
        if (callback != null) {
            callback.accept(number.isEmpty() ? response : mismatch(response, number.get()));
        }
    }

    /** Returns the error for a request whose response has an id of another type. */
    private RpcMessage.Response mismatch(RpcMessage.Response response, String requestId) {
        RpcMessage.ErrorResponse error = ResponseIds.mismatch(response.id(), requestId);
        listener.onUndeliverable(error.message());
        return error;
    }

    @Override
    public void close() {
        // Callers must not wait until the server has ended.
        failAll("the bridge is shutting down");
        transport.close();
    }

    /** Fails all open and future requests. Returns false if the session had already ended. */
    private boolean failAll(String reason) {
        List<Map.Entry<String, Consumer<RpcMessage.Response>>> unanswered;
        synchronized (this) {
            if (closeReason != null) {
                return false;
            }
            closeReason = reason;
            unanswered = new ArrayList<>(openRequests.entrySet());
            openRequests.clear();
        }
        unanswered.forEach(each -> each.getValue().accept(RpcErrorCode.UNAVAILABLE.toResponse(each.getKey(), reason)));
        return true;
    }

    private synchronized boolean isOpen() {
        return open;
    }

    private final class TransportReceiver implements McpTransport.Receiver {
        @Override
        public void onMessage(RpcMessage message) {
            switch (message) {
                case RpcMessage.Response response -> onResponse(response);
                case RpcMessage.Notification notification -> {
                    if (protocol != null) {
                        listener.onNotification(notification);
                    }
                }
                case RpcMessage.Request request -> onRequest(request, Optional.empty());
            }
        }

        @Override
        public void onUndeliverable(String problem) {
            listener.onUndeliverable(problem);
        }

        @Override
        public void onRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
            if (request.method().equals("ping")) {
                respond(new RpcMessage.ResultResponse(request.id(), "{}"));
            } else if (protocol == null || isStateless() || !listener.onRequest(request, relatedRequest)) {
                respond(RpcErrorCode.METHOD_NOT_FOUND.toResponse(
                        request.id(), "This client does not support the method of this request."));
            }
        }

        @Override
        public void onClose(String reason) {
            if (failAll(reason) && isOpen()) {
                listener.onClose(reason);
            }
        }
    }
}
