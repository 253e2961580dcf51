package dev.gavel.mcp.client;

import dev.gavel.mcp.client.ServerSentEventReader.Cursor;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RoutingHeaderNames;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges messages with an MCP server over Streamable HTTP as in MCP 2025-11-25 and older, with a session id and
 * resumable streams. If the server refuses {@code initialize}, tries the older HTTP+SSE transport. Thread-safe.
 */
final class StatefulHttpTransport {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);
    private static final Duration NOTIFICATION_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);
    private static final int MAX_FAILURES = 8;

    private final HttpTransportContext context;
    private final Map<String, Thread> requestThreads = new ConcurrentHashMap<>();
    private volatile @Nullable String sessionId;
    private volatile @Nullable String protocolVersion;
    private volatile @Nullable Thread listenerThread;

    /** Carries all messages if the server supports only the transport of MCP 2024-11-05. */
    private volatile @Nullable SseHttpTransport sseTransport;

    StatefulHttpTransport(HttpTransportContext context) {
        this.context = context;
    }

    /** Discards the session. The next message must start another one. */
    void resetSession() {
        Thread thread = listenerThread;
        SseHttpTransport sse = sseTransport;
        if (sse != null) {
            sse.close();
        }
        sseTransport = null;
        sessionId = null;
        protocolVersion = null;
        listenerThread = null;
        if (thread != null) {
            thread.interrupt();
        }
    }

    void send(RpcMessage message) {
        Thread thread = context.newThread("post", () -> post(message));
        if (message instanceof RpcMessage.Request request) {
            requestThreads.put(request.id(), thread);
        }
        thread.start();
        if (message instanceof RpcMessage.Notification notification
                && notification.method().equals(StatefulProtocol.INITIALIZED)) {
            // Later messages must not overtake this notification.
            try {
                thread.join(NOTIFICATION_TIMEOUT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        String current = sessionId;
        if (current != null) {
            headers.put("Mcp-Session-Id", current);
        }
        String version = protocolVersion;
        if (version != null) {
            headers.put(RoutingHeaderNames.VERSION, version);
        }
        return headers;
    }

    private HttpResponse<InputStream> get(@Nullable String lastEventId) throws IOException, InterruptedException {
        Map<String, String> headers = headers();
        if (lastEventId != null) {
            headers.put("Last-Event-ID", lastEventId);
        }
        return context.requestSender.get(headers);
    }

    private void post(RpcMessage message) {
        boolean hadSession = sessionId != null;
        Optional<Duration> timeout =
                message instanceof RpcMessage.Request ? Optional.empty() : Optional.of(NOTIFICATION_TIMEOUT);
        try {
            SseHttpTransport sse = sseTransport;
            if (sse != null) {
                sse.post(message, timeout);
                return;
            }
            HttpResponse<InputStream> response = context.requestSender.post(message, headers(), timeout);
            try (InputStream body = response.body()) {
                handleResponse(message, hadSession, response, body);
            }
        } catch (ConnectException e) {
            String reason = context.unreachableMessage(e);
            context.fail(message, RpcErrorCode.UNAVAILABLE, reason);
            context.connectionListener().onUnreachable(reason);
        } catch (IOException e) {
            context.fail(message, RpcErrorCode.UNAVAILABLE, context.brokenConnectionMessage(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            context.fail(message, RpcErrorCode.INTERNAL, context.unreadableResponseMessage(e));
        } finally {
            if (message instanceof RpcMessage.Request request) {
                requestThreads.remove(request.id(), Thread.currentThread());
            } else if (message instanceof RpcMessage.Notification notification) {
                interruptCancelled(notification);
            }
        }
    }

    private void handleResponse(
            RpcMessage message, boolean hadSession, HttpResponse<InputStream> response, InputStream body)
            throws IOException, InterruptedException {
        int status = response.statusCode();
        if (status == 404 && hadSession) {
            context.connectionListener().onSessionExpired(Optional.of(message));
        } else if (status >= 300) {
            if (!mayNeedSse(message, status) || !postOverSse(message)) {
                context.fail(message, response, body);
            }
        } else {
            switch (message) {
                case RpcMessage.Request request -> handleRequestResponse(request, response, body);
                case RpcMessage.Notification notification -> onNotificationSent(notification);
                case RpcMessage.Response _ -> {}
            }
        }
    }

    /** Whether a refusal can mean that the server supports only the transport of MCP 2024-11-05. */
    private static boolean mayNeedSse(RpcMessage message, int status) {
        return message instanceof RpcMessage.Request request
                && request.method().equals(StatefulProtocol.INITIALIZE)
                && status >= 400
                && status < 500
                && status != 401
                && status != 403;
    }

    /** Sends a message over the older transport. Returns false if the server does not offer it. */
    private boolean postOverSse(RpcMessage message) throws IOException, InterruptedException {
        Optional<SseHttpTransport> sse;
        try {
            sse = SseHttpTransport.open(context);
        } catch (IOException e) {
            context.fail(message, RpcErrorCode.UNAVAILABLE, String.valueOf(e.getMessage()));
            return true;
        }
        if (sse.isEmpty()) {
            return false;
        }
        sseTransport = sse.get();
        sse.get().post(message, Optional.empty());
        return true;
    }

    private void handleRequestResponse(RpcMessage.Request request, HttpResponse<InputStream> response, InputStream body)
            throws IOException, InterruptedException {
        if (request.method().equals(StatefulProtocol.INITIALIZE)) {
            Optional<String> newSessionId = response.headers().firstValue("Mcp-Session-Id");
            if (newSessionId
                    .filter(id ->
                            !ServerSentEventReader.VISIBLE_ASCII.matcher(id).matches())
                    .isPresent()) {
                context.fail(
                        request,
                        RpcErrorCode.INTERNAL,
                        "the server at " + context.httpServerTarget.redactedUrl()
                                + " sent a session id that contains characters other than visible ASCII");
                return;
            }
            sessionId = newSessionId.orElse(null);
        }
        String type = McpHttpRequestSender.contentType(response);
        if (type.startsWith("text/event-stream")) {
            followStream(request, body);
        } else if (type.startsWith("application/json")) {
            receive(context.readResponse(request, body), request);
        } else {
            context.fail(request, RpcErrorCode.INTERNAL, context.unexpectedResponseMessage(response));
        }
    }

    private void onNotificationSent(RpcMessage.Notification notification) {
        if (notification.method().equals(StatefulProtocol.INITIALIZED)) {
            Thread thread = context.newThread("get", this::readServerStream);
            listenerThread = thread;
            thread.start();
        }
    }

    /** Stops waiting for the response to a cancelled request. Some servers would never send one. */
    private void interruptCancelled(RpcMessage.Notification notification) {
        if (notification.method().equals(StreamableHttpTransport.CANCELLED)) {
            notification
                    .params()
                    .flatMap(raw -> RawJsonEditor.at(raw, "requestId"))
                    .map(requestThreads::remove)
                    .ifPresent(Thread::interrupt);
        }
    }

    // --- event streams

    /** Reads the response to a request from a stream, and resumes the stream as often as it breaks. */
    private void followStream(RpcMessage.Request request, InputStream first) throws IOException, InterruptedException {
        Cursor cursor = new Cursor();
        boolean answered = readEvents(first, cursor, request);
        int failures = 0;
        int emptyStreams = 0;
        while (!answered && !context.isClosed()) {
            String lastEventId = cursor.lastEventId();
            if (lastEventId == null || failures >= MAX_FAILURES) {
                throw new IOException("the event stream ended");
            }
            Thread.sleep(retryDelay(cursor, Math.max(failures, emptyStreams)));
            try {
                HttpResponse<InputStream> resumedResponse = get(lastEventId);
                try (InputStream body = resumedResponse.body()) {
                    if (McpHttpRequestSender.isStream(resumedResponse)) {
                        failures = 0;
                        long before = cursor.eventCount();
                        answered = readEvents(body, cursor, request);
                        emptyStreams = cursor.eventCount() > before ? 0 : emptyStreams + 1;
                    } else if (resumedResponse.statusCode() >= 500) {
                        failures++;
                    } else {
                        throw new StreamGoneException("the event stream ended and cannot be resumed (HTTP "
                                + resumedResponse.statusCode() + ")");
                    }
                }
            } catch (StreamGoneException e) {
                throw e;
            } catch (IOException e) {
                failures++;
            }
        }
    }

    private static final class StreamGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        StreamGoneException(String reason) {
            super(reason);
        }
    }

    private static Duration retryDelay(Cursor cursor, int failures) {
        Duration delay = cursor.retryDelay().multipliedBy(1L << Math.min(failures, 10));
        return failures > 0 && delay.compareTo(MAX_RETRY_DELAY) > 0 ? MAX_RETRY_DELAY : delay;
    }

    private boolean readEvents(InputStream body, Cursor cursor, RpcMessage.@Nullable Request request) {
        return context.readEvents(body, cursor, request, message -> {
            if (request == null || !(message instanceof RpcMessage.Response response)) {
                receive(message, request);
                return false;
            }
            // An error without an id is for the only request of the stream. The response to another one may follow it.
            boolean isForRequest = response.id().equals("null") || ResponseIds.isFor(response, request.id());
            receive(isForRequest ? ResponseIds.forOnly(response, request.id()) : response, request);
            return isForRequest;
        });
    }

    private void receive(RpcMessage message, RpcMessage.@Nullable Request request) {
        if (request != null
                && request.method().equals(StatefulProtocol.INITIALIZE)
                && message instanceof RpcMessage.ResultResponse(String _, String result)) {
            protocolVersion = RawJsonEditor.at(result, "protocolVersion")
                    .flatMap(Json::parse)
                    .flatMap(Json::asText)
                    .filter(text -> text.matches("[0-9A-Za-z.-]{1,40}"))
                    .orElse(null);
        }
        if (request != null && message instanceof RpcMessage.Request serverRequest) {
            context.deliverRequest(serverRequest, Optional.of(request.id()));
        } else {
            context.deliver(message);
        }
    }

    /** Reads the messages that the server sends without a request, for as long as it offers that stream. */
    private void readServerStream() {
        Cursor cursor = new Cursor();
        int failures = 0;
        boolean offered = true;
        boolean streamed = false;
        int refusals = 0;
        while (offered && !context.isClosed() && Thread.currentThread().equals(listenerThread)) {
            try {
                HttpResponse<InputStream> response = get(cursor.lastEventId());
                try (InputStream body = response.body()) {
                    if (McpHttpRequestSender.isStream(response)) {
                        streamed = true;
                        refusals = 0;
                        long before = cursor.eventCount();
                        readEvents(body, cursor, null);
                        failures = cursor.eventCount() > before ? 0 : failures + 1;
                    } else if (response.statusCode() == 404 && streamed && sessionId != null) {
                        // If the server never offered the stream, a 404 does not mean that the session has expired.
                        offered = false;
                        context.connectionListener().onSessionExpired(Optional.empty());
                    } else if (response.statusCode() < 500) {
                        offered = false;
                    } else {
                        failures++;
                    }
                }
            } catch (ConnectException e) {
                failures++;
                refusals++;
                if (refusals > 2) {
                    context.connectionListener()
                            .onUnreachable("the server at " + context.httpServerTarget.redactedUrl()
                                    + " can no longer be reached");
                }
            } catch (IOException e) {
                failures++;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.error("Bridge {}: a message from the server could not be processed.", context.name, e);
                failures++;
            }
            try {
                Thread.sleep(retryDelay(cursor, failures));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends the session at the server, if there is one. */
    void close() {
        if (sessionId == null) {
            return;
        }
        try {
            context.requestSender.delete(headers());
        } catch (IOException e) {
            log.debug(
                    "Bridge {}: the server could not be notified of the end of its session: {}",
                    context.name,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
