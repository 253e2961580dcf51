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
 * to requests. By ourselves we declare nothing that a server could ask of us: a topic has no one user who could be
 * asked. Thread-safe.
 */
public final class McpClientSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(McpClientSession.class);

    /** How long a server may think about the newest version before the old way is tried as well. */
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

    private final McpTransport transport;
    private final SessionListener listener;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Consumer<RpcMessage.Response>> openRequests = new LinkedHashMap<>();
    private @Nullable String closeReason;
    private boolean open;
    private volatile @Nullable McpProtocol protocol;

    /** Who is told what a server says of itself. */
    public interface SessionListener {
        /** The server notifies. */
        void onNotification(RpcMessage.Notification notification);

        /** The session is over, after everything that waited for an answer was given one. Told once at most. */
        void onClose(String why);
    }

    private McpClientSession(McpTransport transport, SessionListener sessionListener) {
        this.transport = transport;
        this.listener = sessionListener;
    }

    /**
     * Opens the way and finds out how the server is spoken to. Waits for it.
     *
     * @param server makes a way to it; asked twice where the server has to be started once more to be spoken to rightly
     * @param client who we say we are, as MCP's {@code clientInfo}
     * @throws IOException where that does not succeed, with a message that says why
     */
    public static McpClientSession open(
            Supplier<McpTransport> server, SessionListener sessionListener, ClientInfo client, Duration patience)
            throws IOException, InterruptedException {
        return open(server, sessionListener, client, new ProtocolNegotiator.Timeouts(patience, PROBE_TIMEOUT));
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
                    case ProtocolNegotiator.NegotiationResult.Negotiated(McpProtocol mcpProtocol) -> {
                        session.activate(mcpProtocol);
                        done = true;
                        return session;
                    }
                    case ProtocolNegotiator.NegotiationResult.RestartRequired(ProtocolNegotiator.Strategy other) ->
                        strategy = other;
                }
            } finally {
                if (!done) {
                    session.transport.close();
                }
            }
        }
    }

    /** Who we say we are. */
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

    private synchronized void activate(McpProtocol found) throws IOException {
        if (closeReason != null) {
            throw new IOException(closeReason);
        }
        protocol = found;
        open = true;
    }

    synchronized boolean isClosed() {
        return closeReason != null;
    }

    private McpProtocol protocol() {
        McpProtocol found = protocol;
        if (found == null) {
            throw new IllegalStateException("it is not known yet how the server is spoken to");
        }
        return found;
    }

    /** The version of MCP that is spoken. */
    public String version() {
        return protocol().version();
    }

    /** Whether nothing is agreed on with the server but what each request says, as from MCP 2026-07-28 on. */
    public boolean isStateless() {
        return protocol().isStateless();
    }

    /** What the server said about itself: {@code capabilities}, {@code instructions}, and so on. */
    public Json serverDescription() {
        return protocol().serverDescription();
    }

    /** Whether the server says it has such a thing: {@code tools}, {@code prompts}, {@code resources}. */
    public boolean hasCapability(String capability) {
        return serverDescription().at("capabilities").at(capability).isPresent();
    }

    /** An id for a request of ours, which nothing else in this session has; it is a token for progress as well. */
    public String nextId() {
        return Long.toString(ids.incrementAndGet());
    }

    /**
     * Asks the server something on our own behalf.
     *
     * @param id from {@link #nextId}
     * @param then given the answer, once, whatever happens; must not wait
     */
    public void sendRequest(String id, String method, Optional<String> params, Consumer<RpcMessage.Response> then) {
        sendRequest(id, method, params, false, then);
    }

    /**
     * Asks the server something.
     *
     * @param id from {@link #nextId}
     * @param own whether who sends it wants it for themselves, so that what they say of themselves in it counts
     * @param then given the answer, once, whatever happens; must not wait
     */
    public void sendRequest(
            String id, String method, Optional<String> params, boolean own, Consumer<RpcMessage.Response> then) {
        sendUnprepared(id, method, protocol().prepareParams(params, own), then);
    }

    private void sendUnprepared(String id, String method, Optional<String> params, Consumer<RpcMessage.Response> then) {
        String over;
        synchronized (this) {
            over = closeReason;
            if (over == null) {
                openRequests.put(id, then);
            }
        }
        if (over != null) {
            then.accept(RpcErrorCode.UNAVAILABLE.toResponse(id, over));
            return;
        }
        try {
            send(new RpcMessage.Request(id, method, params));
        } catch (IOException e) {
            onResponse(RpcErrorCode.UNAVAILABLE.toResponse(id, String.valueOf(e.getMessage())));
        }
    }

    /** Asks something as it is, in whichever version. */
    CompletableFuture<RpcMessage.Response> sendUnprepared(String method, Optional<String> params) {
        CompletableFuture<RpcMessage.Response> response = new CompletableFuture<>();
        sendUnprepared(nextId(), method, params, response::complete);
        return response;
    }

    void send(RpcMessage message) throws IOException {
        transport.send(message);
    }

    /** Asks the server something and waits; what comes after the time is up is dropped. */
    public RpcMessage.Response sendRequest(String method, Optional<String> params, Duration patience)
            throws InterruptedException {
        String id = nextId();
        CompletableFuture<RpcMessage.Response> response = new CompletableFuture<>();
        sendRequest(id, method, params, response::complete);
        try {
            return response.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            ignoreResponse(id);
            return RpcErrorCode.UNAVAILABLE.toResponse(
                    id, "the server did not answer '" + method + "' within " + patience.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the server answers to this request is of no interest any more. */
    public synchronized void ignoreResponse(String id) {
        openRequests.remove(id);
    }

    /** Notifies the server, as far as it is there. */
    public void sendNotification(String method, String params) {
        try {
            transport.send(new RpcMessage.Notification(method, Optional.of(params)));
        } catch (IOException e) {
            log.debug("'{}' is not sent: {}", method, e.getMessage());
        }
    }

    private void onResponse(RpcMessage.Response response) {
        Consumer<RpcMessage.Response> then;
        synchronized (this) {
            then = openRequests.remove(response.id());
        }
        if (then != null) {
            then.accept(response);
        }
    }

    @Override
    public void close() {
        // Whoever waits is not to wait until the server has ended.
        failAll("the bridge to the server is closing");
        transport.close();
    }

    /** Answers everything that waits, and everything that comes; false where that was done before. */
    private boolean failAll(String why) {
        List<Map.Entry<String, Consumer<RpcMessage.Response>>> left;
        synchronized (this) {
            if (closeReason != null) {
                return false;
            }
            closeReason = why;
            left = new ArrayList<>(openRequests.entrySet());
            openRequests.clear();
        }
        left.forEach(each -> each.getValue().accept(RpcErrorCode.UNAVAILABLE.toResponse(each.getKey(), why)));
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
                case RpcMessage.Request request -> reply(request);
            }
        }

        private void reply(RpcMessage.Request request) {
            RpcMessage.Response response = request.method().equals("ping")
                    ? new RpcMessage.ResultResponse(request.id(), "{}")
                    : RpcErrorCode.METHOD_NOT_FOUND.toResponse(request.id(), refusal(request.method()));
            try {
                transport.send(response);
            } catch (IOException e) {
                log.debug("'{}' of the server is not answered: {}", request.method(), e.getMessage());
            }
        }

        private static String refusal(String method) {
            return switch (method) {
                case "sampling/createMessage" ->
                    "This client has no model to ask: it declares no sampling, because a topic has no one user.";
                case "elicitation/create" ->
                    "This client has nobody to ask: it declares no elicitation, because a topic has no one user.";
                case "roots/list" ->
                    "This client has no roots: it declares none, because a topic has no one user's files.";
                default -> "This client answers nothing but 'ping'.";
            };
        }

        @Override
        public void onClose(String why) {
            if (failAll(why) && isOpen()) {
                listener.onClose(why);
            }
        }
    }
}
