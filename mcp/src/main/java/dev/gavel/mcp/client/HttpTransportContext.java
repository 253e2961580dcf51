package dev.gavel.mcp.client;

import dev.gavel.mcp.client.ServerSentEventReader.Cursor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stateful and stateless HTTP transports of one server share: HTTP client, threads, message receiver and error
 * texts. Thread-safe.
 */
final class HttpTransportContext {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);

    final String name;
    final McpHttpEndpoint mcpHttpEndpoint;
    final McpHttpClient httpClient;
    private final StreamableHttpTransport.ConnectionListener connectionListener;
    private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile McpTransport.@Nullable Receiver receiver;

    HttpTransportContext(String name, McpHttpEndpoint endpoint, StreamableHttpTransport.ConnectionListener troubles) {
        this.name = name;
        this.mcpHttpEndpoint = endpoint;
        this.connectionListener = troubles;
        this.httpClient = new McpHttpClient(endpoint);
    }

    void open(McpTransport.Receiver to) {
        receiver = to;
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

    /** A thread for a task, yet to be started; it is interrupted when everything ends. */
    Thread newThread(String what, Runnable task) {
        return Thread.ofVirtual().name("bridge " + name + " " + what).unstarted(() -> {
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

    /** Hands on what came. */
    void deliver(RpcMessage message) {
        McpTransport.Receiver to = receiver();
        if (to != null) {
            to.onMessage(message);
        }
    }

    // --- answers

    /**
     * Hands on what a stream says until it ends, or until it has said enough: then true.
     *
     * @param enough is given each message, and says whether it was the last of interest
     * @param whose the request that waits for the stream, if one does
     */
    boolean readEvents(
            InputStream body, Cursor cursor, RpcMessage.@Nullable Request whose, Predicate<RpcMessage> enough) {
        try {
            ServerSentEventReader events = new ServerSentEventReader(body, cursor);
            for (ServerSentEventReader.Event event = events.next(); event != null; event = events.next()) {
                if (event.tooLong()) {
                    if (whose != null) {
                        // As if the server had said so: whoever follows the stream knows whom its answers are for.
                        return enough.test(RpcErrorCode.UNSENDABLE.toResponse(
                                whose.id(), "the server's answer is too long to be taken"));
                    }
                } else if (RpcMessage.read(event.data()) instanceof RpcMessage message) {
                    if (enough.test(message)) {
                        return true;
                    }
                } else {
                    log.warn("bridge {}: the server sent an event that is no MCP message; it is passed over", name);
                }
            }
        } catch (IOException e) {
            log.debug("bridge {}: a stream of events broke: {}", name, e.getMessage());
        }
        return false;
    }

    // --- refusals

    void fail(RpcMessage message, RpcErrorCode error, String why) {
        if (message instanceof RpcMessage.Request request) {
            deliver(error.toResponse(request.id(), why));
        } else if (!closed) {
            log.debug("bridge {}: a message was not taken: {}", name, why);
        }
    }

    /** Its answer is no success: what that means is the answer. */
    RpcMessage.ErrorResponse errorResponse(HttpResponse<?> response, InputStream body) throws IOException {
        return HttpErrorMapper.toErrorResponse(
                mcpHttpEndpoint, response, body.readNBytes(HttpErrorMapper.MAX_BODY_LENGTH));
    }

    void fail(RpcMessage message, HttpResponse<?> response, InputStream body) throws IOException {
        RpcMessage.ErrorResponse refusal = errorResponse(response, body);
        if (message instanceof RpcMessage.Request request) {
            deliver(refusal.withId(request.id()));
        } else {
            log.debug("bridge {}: a message was not taken: {}", name, refusal.message());
        }
    }

    String unexpectedResponseMessage(HttpResponse<?> response) {
        String type = McpHttpClient.contentType(response);
        return "the server at " + mcpHttpEndpoint.redactedUrl() + " answered HTTP " + response.statusCode()
                + (type.isEmpty() ? " without content" : " of type " + type)
                + "; is there an MCP server at that address?";
    }

    String unreachableMessage(ConnectException e) {
        return "the server at " + mcpHttpEndpoint.redactedUrl() + " cannot be reached"
                + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }

    String brokenConnectionMessage(IOException e) {
        return "the connection to the server at " + mcpHttpEndpoint.redactedUrl() + " broke before it answered: "
                + e.getMessage();
    }

    String unreadableResponseMessage(RuntimeException e) {
        log.error("bridge {}: an answer of the server could not be dealt with", name, e);
        return "the answer of the server at " + mcpHttpEndpoint.redactedUrl() + " makes no sense";
    }

    /** Ends all waiting; false where that was done before. */
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
