package dev.gavel.web.api;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.topic.TransportListener;
import dev.gavel.web.http.UnsentByteCounter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the envelopes of a topic to one client as server-sent events. Confined to the connection's event loop,
 * except for {@link #close}.
 */
final class EventStreamConnection implements TransportChannel {
    /** Frequent enough that neither the idle timeout nor a proxy closes a silent stream. */
    private static final long HEARTBEAT_MILLIS = 20_000;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    /** How many bytes a client may be behind and still be sent the next part of the replay. */
    private static final int DRAINED_BYTES = 64 * 1024;

    /** How long bytes written before the end may take to be sent. */
    private static final long CLOSE_TIMEOUT_MILLIS = 3_000;

    private final ChannelHandlerContext handler;
    private final HttpServerResponse response;
    private final TransportListener transportListener;
    private @Nullable Runnable onDrained;
    private final UnsentByteCounter unsent;
    private boolean ended;

    private EventStreamConnection(
            ChannelHandlerContext handler,
            HttpServerRequest request,
            Function<TransportChannel, TransportListener> transportListeners) {
        this.handler = handler;
        this.response = request.response();
        this.unsent = new UnsentByteCounter(request);
        this.transportListener = transportListeners.apply(this);
    }

    /**
     * Starts a stream as the response to a request. Must be called on the connection's event loop.
     *
     * @param onEnd runs when the stream has ended, for whatever reason
     */
    static void start(
            ContextInternal context,
            HttpServerRequest request,
            Function<TransportChannel, TransportListener> transportListeners,
            Runnable onEnd) {
        HttpServerResponse response = request.response();
        EventStreamConnection stream = new EventStreamConnection(
                ((ConnectionBase) request.connection()).channelHandlerContext(), request, transportListeners);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(failure -> {
                    // The client disconnected; the close handler cleans up.
                });
        long heartbeatTimer = context.owner().setPeriodic(HEARTBEAT_MILLIS, id -> stream.write(HEARTBEAT));
        response.closeHandler(closed -> {
            context.owner().cancelTimer(heartbeatTimer);
            stream.markEnded();
            stream.unsent.release();
            onEnd.run();
        });
        stream.transportListener.onOpen();
    }

    @Override
    public EventExecutor loop() {
        return handler.executor();
    }

    @Override
    public TransportFraming framing() {
        return TransportFraming.EVENT_STREAM;
    }

    @Override
    public void write(ByteBuf frames) {
        byte[] bytes = new byte[frames.readableBytes()];
        frames.readBytes(bytes);
        frames.release();
        write(Buffer.buffer(bytes));
    }

    private void write(Buffer bytes) {
        if (ended) {
            return;
        }
        int length = bytes.length();
        if (!unsent.tryAdd(length)) {
            close(ConnectionCloseReason.TOO_SLOW);
            return;
        }
        // A failed write closes the response, which calls the close handler.
        response.write(bytes).onComplete(written -> {
            unsent.subtract(length);
            runPendingDrain();
        });
    }

    @Override
    public long pendingBytes() {
        return unsent.unsentBytes();
    }

    @Override
    public void whenDrained(Runnable next) {
        onDrained = next;
        runPendingDrain();
    }

    private void runPendingDrain() {
        Runnable next = onDrained;
        if (next != null && unsent.unsentBytes() < DRAINED_BYTES && !ended) {
            onDrained = null;
            next.run();
        }
    }

    /** An event stream has no close codes: it ends, and the client may reconnect. */
    @Override
    public void close(ConnectionCloseReason connectionCloseReason) {
        if (loop().inEventLoop()) {
            end(connectionCloseReason);
        } else {
            loop().execute(() -> end(connectionCloseReason));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the connection ends either way
    private void end(ConnectionCloseReason connectionCloseReason) {
        if (ended) {
            return;
        }
        transportListener.onServerClose(connectionCloseReason);
        // Not after the last byte is sent: a client that reads nothing would count as connected until then.
        markEnded();
        if (connectionCloseReason == ConnectionCloseReason.TOO_SLOW) {
            closeChannel();
        } else {
            response.reset();
            loop().schedule(this::closeChannel, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Stops writing and notifies the listener that the connection is closed. */
    private void markEnded() {
        if (!ended) {
            ended = true;
            onDrained = null;
            transportListener.onClose();
        }
    }

    /**
     * Closes the channel without Vert.x, which would first wait until all bytes are sent. With a client that reads
     * nothing, that never happens.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the connection ends either way
    private void closeChannel() {
        handler.close();
    }
}
