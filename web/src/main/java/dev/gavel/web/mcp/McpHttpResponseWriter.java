package dev.gavel.web.mcp;

import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.web.http.ResponseBodies;
import dev.gavel.web.http.UnsentByteCounter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.function.Consumer;

/**
 * Writes the MCP facade's messages for one request to an HTTP response, as plain JSON or as server-sent events. A
 * single response is plain JSON. If other messages precede it, or if it takes a while, the response is an event stream.
 * The topic's event loop calls it; it writes on the connection's own event loop.
 */
final class McpHttpResponseWriter implements McpResponseWriter {
    /** Frequent enough that neither the idle timeout nor a proxy closes a silent stream. */
    private static final long HEARTBEAT_MILLIS = 15_000;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean acceptsEvents;
    private final ResumeMode resumeMode;

    // Confined to the connection's event loop.
    private boolean streaming;
    private boolean ended;
    private final UnsentByteCounter unsent;
    private long heartbeatTimer;
    private Future<Void> lastWrite = Future.succeededFuture();

    /** How a disconnected client continues. */
    enum ResumeMode {
        /** It sends its request again. */
        NONE,
        /** It resumes after the last event that it received. */
        BY_EVENT_ID,
        /** Like {@link #BY_EVENT_ID}, and it accepts events with an id and empty data. */
        BY_EMPTY_EVENT_ID
    }

    /**
     * Creates a writer for a response that has not started.
     *
     * @param acceptsEvents whether the client accepts an event stream
     */
    McpHttpResponseWriter(Context context, HttpServerRequest request, boolean acceptsEvents, ResumeMode resumeMode) {
        this.context = context;
        this.request = request;
        this.response = request.response();
        this.unsent = new UnsentByteCounter(request);
        this.acceptsEvents = acceptsEvents;
        this.resumeMode = resumeMode;
    }

    @Override
    public void start(String eventId) {
        runIfOpen(() -> startStream(eventId));
    }

    @Override
    public void send(String eventId, String message, boolean last) {
        runIfOpen(() -> {
            if (!streaming && last) {
                ended = true;
                sendJson(message);
                return;
            }
            startStream(eventId);
            if (streaming) {
                String id = resumeMode == ResumeMode.NONE ? "" : "id: " + eventId + "\n";
                write(Buffer.buffer(id + "event: message\ndata: " + message + "\n\n"));
            }
            if (last) {
                finish();
            }
        });
    }

    @Override
    public void refuse(RefusalReason refusalReason, String message) {
        runIfOpen(() -> {
            ended = true;
            response.setStatusCode(
                    switch (refusalReason) {
                        case MALFORMED -> 400;
                        case NO_SUCH_METHOD -> 404;
                        case NOT_ACCEPTABLE -> 406;
                    });
            sendJson(message);
        });
    }

    private void sendJson(String message) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        lastWrite = ResponseBodies.end(request, Buffer.buffer(message));
    }

    @Override
    public void end() {
        runIfOpen(() -> {
            if (!streaming) {
                response.setStatusCode(202);
            }
            finish();
        });
    }

    private void runIfOpen(Runnable task) {
        context.runOnContext(then -> {
            if (!ended && !response.ended() && !response.closed()) {
                task.run();
            }
        });
    }

    private void startStream(String eventId) {
        if (streaming || !acceptsEvents) {
            return;
        }
        streaming = true;
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no");
        write(firstEvent(eventId));
        heartbeatTimer = context.owner().setPeriodic(HEARTBEAT_MILLIS, beat -> write(HEARTBEAT));
    }

    private Buffer firstEvent(String eventId) {
        // Every SSE client remembers an id without data; only newer MCP clients expect the id with empty data. There is
        // no 'retry' line: the Java SDK up to 2.0.1 fails on it (docs/decisions/0077-no-retry-line.md).
        return switch (resumeMode) {
            case NONE -> HEARTBEAT;
            case BY_EVENT_ID -> Buffer.buffer("id: " + eventId + "\n\n");
            case BY_EMPTY_EVENT_ID -> Buffer.buffer("id: " + eventId + "\ndata: \n\n");
        };
    }

    private void write(Buffer bytes) {
        int length = bytes.length();
        if (unsent.tryAdd(length)) {
            response.write(bytes).onComplete(written -> unsent.subtract(length));
        } else {
            closeChannel();
        }
    }

    /** Closes the channel without Vert.x, which would first wait until the client has read all bytes. */
    @SuppressWarnings("FutureReturnValueIgnored") // the connection ends either way
    private void closeChannel() {
        onClose();
        ((ConnectionBase) request.connection()).channelHandlerContext().close();
    }

    private void finish() {
        if (ended) {
            return;
        }
        ended = true;
        stopHeartbeat();
        lastWrite = response.end();
    }

    @Override
    public boolean supportsStreaming() {
        return acceptsEvents;
    }

    /**
     * Calls the consumer with whether the whole response was written, once that is known. On the connection's event
     * loop.
     */
    void onWritten(Consumer<Boolean> then) {
        lastWrite.onComplete(done -> then.accept(done.succeeded()));
    }

    /** Called when the client has disconnected, on the connection's event loop. */
    void onClose() {
        ended = true;
        stopHeartbeat();
        unsent.release();
    }

    private void stopHeartbeat() {
        if (streaming) {
            context.owner().cancelTimer(heartbeatTimer);
        }
    }
}
