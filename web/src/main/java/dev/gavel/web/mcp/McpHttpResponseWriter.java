package dev.gavel.web.mcp;

import dev.gavel.mcp.facade.transport.McpResponseWriter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/**
 * Writes the MCP facade's messages for one request to an HTTP response, as plain JSON or as server-sent events. An
 * answer that comes alone is plain JSON; where something comes before it, or it takes a while, it is a stream of
 * events. Told from the topic's loop, it writes on the connection's own.
 */
final class McpHttpResponseWriter implements McpResponseWriter {
    /** What a reader may be behind, in bytes, before it is cut off. */
    private static final int MAX_UNSENT_BYTES = 8 * 1024 * 1024;

    /** Often enough that neither the idle timeout nor a proxy takes a silent stream for a dead one. */
    private static final long HEARTBEAT_MILLIS = 15_000;

    /** How soon a client that was cut off is to come back. */
    private static final int RETRY_MILLIS = 1_000;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    private final Context context;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean acceptsEvents;
    private final ResumeMode resumeMode;

    // The connection's loop alone knows these.
    private boolean streaming;
    private boolean ended;
    private int unsentBytes;
    private long heartbeatTimer;
    private Future<Void> written = Future.succeededFuture();

    /** What a client that is cut off can do. */
    enum ResumeMode {
        /** It asks anew. */
        NONE,
        /** It goes on after the last event it has seen. */
        BY_EVENT_ID,
        /** Likewise, and it knows events that say nothing but their id. */
        BY_EMPTY_EVENT_ID
    }

    /**
     * An answer that has not begun.
     *
     * @param events whether the client takes a stream of events
     */
    McpHttpResponseWriter(Context here, HttpServerRequest request, boolean events, ResumeMode resuming) {
        this.context = here;
        this.request = request;
        this.response = request.response();
        this.acceptsEvents = events;
        this.resumeMode = resuming;
    }

    @Override
    public void start(String eventId) {
        run(() -> stream(eventId));
    }

    @Override
    public void send(String eventId, String message, boolean last) {
        run(() -> {
            if (!streaming && last) {
                ended = true;
                written = response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .end(message);
                return;
            }
            stream(eventId);
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
        run(() -> {
            ended = true;
            written = response.setStatusCode(
                            switch (refusalReason) {
                                case MALFORMED -> 400;
                                case NO_SUCH_METHOD -> 404;
                                case NOT_ACCEPTABLE -> 406;
                            })
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(message);
        });
    }

    @Override
    public void end() {
        run(() -> {
            if (!streaming) {
                response.setStatusCode(202);
            }
            finish();
        });
    }

    private void run(Runnable task) {
        context.runOnContext(then -> {
            if (!ended && !response.ended() && !response.closed()) {
                task.run();
            }
        });
    }

    private void stream(String eventId) {
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
        // An id alone is kept by every reader of events; only newer clients expect it with empty data.
        return switch (resumeMode) {
            case NONE -> HEARTBEAT;
            case BY_EVENT_ID -> Buffer.buffer("retry: " + RETRY_MILLIS + "\nid: " + eventId + "\n\n");
            case BY_EMPTY_EVENT_ID -> Buffer.buffer("retry: " + RETRY_MILLIS + "\nid: " + eventId + "\ndata: \n\n");
        };
    }

    private void write(Buffer bytes) {
        if (unsentBytes > MAX_UNSENT_BYTES) {
            request.connection().close();
            return;
        }
        unsentBytes += bytes.length();
        response.write(bytes).onComplete(written -> unsentBytes -= bytes.length());
    }

    private void finish() {
        ended = true;
        stopHeartbeat();
        written = response.end();
    }

    @Override
    public boolean supportsStreaming() {
        return acceptsEvents;
    }

    /** Has somebody told whether all of it was written, once that is known; on the connection's loop. */
    void onWritten(Consumer<Boolean> then) {
        written.onComplete(done -> then.accept(done.succeeded()));
    }

    /** The client has gone away; on the connection's loop. */
    void onClose() {
        ended = true;
        stopHeartbeat();
    }

    private void stopHeartbeat() {
        if (streaming) {
            context.owner().cancelTimer(heartbeatTimer);
        }
    }
}
