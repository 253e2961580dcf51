package dev.gavel.mcp.client;

import dev.gavel.mcp.client.ServerSentEventReader.Cursor;
import dev.gavel.mcp.rpc.MessageIdScanner;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what the stateful and stateless HTTP transports to one MCP server share: HTTP client, threads, message receiver
 * and error texts. Thread-safe.
 */
final class HttpTransportContext {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);

    final String name;
    final HttpServerTarget httpServerTarget;
    final McpHttpRequestSender requestSender;
    private final ServerMessageReader messageReader;
    private final StreamableHttpTransport.ConnectionListener connectionListener;
    private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();
    private final ServerOutputLogLimiter ignoredLogLimiter = new ServerOutputLogLimiter();
    private volatile boolean closed;
    private volatile McpTransport.@Nullable Receiver receiver;

    HttpTransportContext(
            String name,
            HttpServerTarget endpoint,
            int maxMessageBytes,
            StreamableHttpTransport.ConnectionListener connectionListener) {
        this.messageReader = new ServerMessageReader(maxMessageBytes);
        this.name = name;
        this.httpServerTarget = endpoint;
        this.connectionListener = connectionListener;
        this.requestSender = new McpHttpRequestSender(endpoint);
    }

    void open(McpTransport.Receiver target) {
        receiver = target;
    }

    McpTransport.@Nullable Receiver receiver() {
        return closed ? null : receiver;
    }

    StreamableHttpTransport.ConnectionListener connectionListener() {
        return connectionListener;
    }

    boolean isClosed() {
        return closed;
    }

    /** Creates an unstarted thread for a task. {@link #close} interrupts it. */
    Thread newThread(String purpose, Runnable task) {
        return Thread.ofVirtual().name("bridge " + name + " " + purpose).unstarted(() -> {
            threads.put(Thread.currentThread(), true);
            try {
                if (!closed) {
                    task.run();
                }
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
    }

    /** Passes a message to the receiver. */
    void deliver(RpcMessage message) {
        McpTransport.Receiver target = receiver();
        if (target != null) {
            target.onMessage(message);
        }
    }

    /** Passes a request of the server to the receiver, with the client's request on whose stream it arrived. */
    void deliverRequest(RpcMessage.Request message, Optional<String> relatedRequest) {
        McpTransport.Receiver target = receiver();
        if (target != null) {
            target.onRequest(message, relatedRequest);
        }
    }

    // --- responses

    /**
     * Reads the events of a stream until it ends or until the consumer has the message it needs. Returns true in the
     * second case.
     *
     * @param stopCondition receives each message and returns whether reading can stop
     * @param request the request that waits for the stream, or null
     */
    boolean readEvents(
            InputStream body,
            Cursor cursor,
            RpcMessage.@Nullable Request request,
            Predicate<RpcMessage> stopCondition) {
        try {
            ServerSentEventReader events = newEventReader(body, cursor);
            for (ServerSentEventReader.Event event = events.next(); event != null; event = events.next()) {
                Optional<RpcMessage> message = read(event, request);
                if (message.isPresent() && stopCondition.test(message.get())) {
                    return true;
                }
            }
        } catch (IOException e) {
            log.debug("Bridge {}: an event stream broke: {}", name, e.getMessage());
        }
        return false;
    }

    /** Creates a reader for the messages in a stream. */
    ServerSentEventReader newEventReader(InputStream body, Cursor cursor) {
        return new ServerSentEventReader(body, cursor, messageReader.maxLength());
    }

    /**
     * Returns the message of an event, or the error that its request gets instead; empty if it is ignored.
     *
     * @param request the only request that waits for the stream, or null
     */
    Optional<RpcMessage> read(ServerSentEventReader.Event event, RpcMessage.@Nullable Request request) {
        ServerMessage serverMessage = switch (event) {
            case ServerSentEventReader.Event.Complete complete -> messageReader.read(complete.data());
            case ServerSentEventReader.Event.TooLong(MessageIdScanner scanner, long length) ->
                messageReader.tooLong(scanner, length);
        };
        return switch (serverMessage) {
            case ServerMessage.Received(RpcMessage message) -> Optional.of(message);
            case ServerMessage.UnreadableResponse unreadable -> {
                reportUndeliverable(unreadable.problem());
                RpcMessage.ErrorResponse error = unreadable.toError();
                yield Optional.of(
                        request != null && ResponseIds.isFor(error, request.id()) ? error.withId(request.id()) : error);
            }
            case ServerMessage.Unreadable(boolean tooLong, String problem)
            when tooLong && request != null -> {
                // The stream belongs to this request, so the message is most likely its response.
                reportUndeliverable(problem);
                yield Optional.of(RpcErrorCode.UNSENDABLE.toResponse(request.id(), problem));
            }
            case ServerMessage.Unreadable(boolean _, String problem) -> {
                logIgnored("an event that is not an MCP message (" + problem + ")");
                yield Optional.empty();
            }
        };
    }

    /** Reads a response body that contains only the response to a request. */
    RpcMessage.Response readResponse(RpcMessage.Request request, InputStream body) throws IOException {
        byte[] text = body.readNBytes(messageReader.maxLength() + 1);
        if (text.length > messageReader.maxLength()) {
            String problem = "the server's answer is longer than " + messageReader.maxLength()
                    + " bytes, which is the limit (limits.answer)";
            reportUndeliverable(problem);
            return RpcErrorCode.UNSENDABLE.toResponse(request.id(), problem);
        }
        return switch (messageReader.read(text)) {
            case ServerMessage.Received(RpcMessage.Response response) -> ResponseIds.forOnly(response, request.id());
            case ServerMessage.Received(RpcMessage _) ->
                RpcErrorCode.INTERNAL.toResponse(
                        request.id(), "the server answered with a request or a notification instead of a response");
            case ServerMessage.UnreadableResponse(String _, String problem) -> {
                reportUndeliverable(problem);
                yield RpcErrorCode.UNSENDABLE.toResponse(request.id(), problem);
            }
            case ServerMessage.Unreadable(boolean _, String problem) ->
                RpcErrorCode.INTERNAL.toResponse(request.id(), problem);
        };
    }

    private void reportUndeliverable(String problem) {
        McpTransport.Receiver target = receiver();
        if (target != null) {
            target.onUndeliverable(problem);
        }
    }

    // --- errors

    /** Logs that a message of the server is ignored, unless the server causes too many log entries. */
    void logIgnored(String message) {
        if (ignoredLogLimiter.tryAcquire()) {
            log.warn("Bridge {}: the server sent {}; ignoring it.", name, message);
        }
    }

    void fail(RpcMessage message, RpcErrorCode error, String reason) {
        if (message instanceof RpcMessage.Request request) {
            deliver(error.toResponse(request.id(), reason));
        } else if (!closed) {
            log.debug("Bridge {}: the server did not accept a message: {}", name, reason);
        }
    }

    /** Converts an unsuccessful HTTP response into an error response. */
    RpcMessage.ErrorResponse errorResponse(HttpResponse<?> response, InputStream body) throws IOException {
        return HttpErrorMapper.toErrorResponse(
                httpServerTarget, response, body.readNBytes(HttpErrorMapper.MAX_BODY_LENGTH));
    }

    void fail(RpcMessage message, HttpResponse<?> response, InputStream body) throws IOException {
        RpcMessage.ErrorResponse refusal = errorResponse(response, body);
        if (message instanceof RpcMessage.Request request) {
            deliver(refusal.withId(request.id()));
        } else {
            log.debug("Bridge {}: the server did not accept a message: {}", name, refusal.message());
        }
    }

    String unexpectedResponseMessage(HttpResponse<?> response) {
        String type = McpHttpRequestSender.contentType(response);
        return "the server at " + httpServerTarget.redactedUrl() + " answered HTTP " + response.statusCode()
                + (type.isEmpty() ? " without content" : " with content type " + type)
                + "; check that this is the address of an MCP server";
    }

    String unreachableMessage(ConnectException e) {
        return "the server at " + httpServerTarget.redactedUrl() + " cannot be reached"
                + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }

    String brokenConnectionMessage(IOException e) {
        return "the connection to the server at " + httpServerTarget.redactedUrl()
                + " broke before the answer arrived: " + e.getMessage();
    }

    String unreadableResponseMessage(RuntimeException e) {
        log.error("Bridge {}: an answer of the server could not be processed.", name, e);
        return "the answer of the server at " + httpServerTarget.redactedUrl() + " cannot be processed";
    }

    /** Interrupts all threads. Returns false if the context was already closed. */
    boolean close() {
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
        }
        threads.keySet().forEach(Thread::interrupt);
        return true;
    }
}
