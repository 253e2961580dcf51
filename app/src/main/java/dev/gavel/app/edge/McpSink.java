package dev.gavel.app.edge;

import dev.gavel.mcp.facade.port.Sink;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/**
 * One HTTP answer to an MCP client. An answer that comes alone is plain JSON; where something comes before it, or it takes
 * a while, it is a stream of events. Told from the topic's loop, it writes on the connection's own.
 */
final class McpSink implements Sink {
    /** What a reader may be behind, in bytes, before it is cut off. */
    private static final int BEHIND_BYTES = 8 * 1024 * 1024;

    /** Often enough that neither the idle timeout nor a proxy takes a silent stream for a dead one. */
    private static final long BEAT_MILLIS = 15_000;

    /** How soon a client that was cut off is to come back. */
    private static final int RETRY_MILLIS = 1_000;

    private static final Buffer BEAT = Buffer.buffer(":\n\n");

    private final Context here;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean events;
    private final Resuming resuming;

    // The connection's loop alone knows these.
    private boolean streaming;
    private boolean ended;
    private int behind;
    private long beats;
    private Future<Void> written = Future.succeededFuture();

    /** What a client that is cut off can do. */
    enum Resuming {
        /** It asks anew. */
        NOT_AT_ALL,
        /** It goes on after the last event it has seen. */
        BY_EVENTS,
        /** Likewise, and it knows events that say nothing but their id. */
        BY_ANY_EVENTS
    }

    /**
     * An answer that has not begun.
     *
     * @param events whether the client takes a stream of events
     */
    McpSink(Context here, HttpServerRequest request, boolean events, Resuming resuming) {
        this.here = here;
        this.request = request;
        this.response = request.response();
        this.events = events;
        this.resuming = resuming;
    }

    @Override
    public void begin(String eventId) {
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
                String id = resuming == Resuming.NOT_AT_ALL ? "" : "id: " + eventId + "\n";
                write(Buffer.buffer(id + "event: message\ndata: " + message + "\n\n"));
            }
            if (last) {
                finish();
            }
        });
    }

    @Override
    public void refuse(Fault fault, String message) {
        run(() -> {
            ended = true;
            written = response.setStatusCode(
                            switch (fault) {
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
        here.runOnContext(then -> {
            if (!ended && !response.ended() && !response.closed()) {
                task.run();
            }
        });
    }

    private void stream(String eventId) {
        if (streaming || !events) {
            return;
        }
        streaming = true;
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader("X-Accel-Buffering", "no");
        write(beginning(eventId));
        beats = here.owner().setPeriodic(BEAT_MILLIS, beat -> write(BEAT));
    }

    private Buffer beginning(String eventId) {
        // An id alone is kept by every reader of events; only newer clients expect it with empty data.
        return switch (resuming) {
            case NOT_AT_ALL -> BEAT;
            case BY_EVENTS -> Buffer.buffer("retry: " + RETRY_MILLIS + "\nid: " + eventId + "\n\n");
            case BY_ANY_EVENTS -> Buffer.buffer("retry: " + RETRY_MILLIS + "\nid: " + eventId + "\ndata: \n\n");
        };
    }

    private void write(Buffer bytes) {
        if (behind > BEHIND_BYTES) {
            request.connection().close();
            return;
        }
        behind += bytes.length();
        response.write(bytes).onComplete(written -> behind -= bytes.length());
    }

    private void finish() {
        ended = true;
        stopBeating();
        written = response.end();
    }

    @Override
    public boolean streams() {
        return events;
    }

    /** Has somebody told whether all of it was written, once that is known; on the connection's loop. */
    void written(Consumer<Boolean> then) {
        written.onComplete(done -> then.accept(done.succeeded()));
    }

    /** The client has gone away; on the connection's loop. */
    void closed() {
        ended = true;
        stopBeating();
    }

    private void stopBeating() {
        if (streaming) {
            here.owner().cancelTimer(beats);
        }
    }
}
