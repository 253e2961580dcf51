package dev.gavel.web.api;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.topic.TransportListener;
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
 * Delivers the envelopes of a topic to one client as server-sent events. Confined to the connection's event loop, but
 * for {@link #close}.
 */
final class EventStreamConnection implements TransportChannel {
    /** What a reader may be behind, in bytes, before it is dropped. */
    private static final int MAX_UNSENT_BYTES = 8 * 1024 * 1024;

    /** Often enough that neither the idle timeout nor a proxy takes a silent stream for a dead one. */
    private static final long HEARTBEAT_MILLIS = 20_000;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    /** What a reader may be behind and still be sent the next piece of what it missed. */
    private static final int DRAINED_BYTES = 64 * 1024;

    /** How long what was written before an end may take to be sent. */
    private static final long CLOSE_TIMEOUT_MILLIS = 3_000;

    private final ChannelHandlerContext handler;
    private final HttpServerResponse response;
    private final TransportListener transportListener;
    private @Nullable Runnable onDrained;
    /** Changed on the connection's loop alone. */
    private volatile int unsentBytes;

    private boolean ended;

    private EventStreamConnection(
            ChannelHandlerContext handler,
            HttpServerResponse response,
            Function<TransportChannel, TransportListener> transportListeners) {
        this.handler = handler;
        this.response = response;
        this.transportListener = transportListeners.apply(this);
    }

    /**
     * Begins a stream as the answer to a request; on the connection's loop.
     *
     * @param afterwards is done when the stream has ended, however it does
     */
    static void start(
            ContextInternal here,
            HttpServerRequest request,
            Function<TransportChannel, TransportListener> transportListeners,
            Runnable afterwards) {
        HttpServerResponse response = request.response();
        EventStreamConnection stream = new EventStreamConnection(
                ((ConnectionBase) request.connection()).channelHandlerContext(), response, transportListeners);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(failure -> {
                    // The reader went away; the close handler sees to it.
                });
        long beats = here.owner().setPeriodic(HEARTBEAT_MILLIS, id -> stream.write(HEARTBEAT));
        response.closeHandler(closed -> {
            here.owner().cancelTimer(beats);
            stream.markEnded();
            afterwards.run();
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread alone changes it
    private void write(Buffer bytes) {
        if (ended) {
            return;
        }
        if (unsentBytes > MAX_UNSENT_BYTES) {
            close(ConnectionCloseReason.TOO_SLOW);
            return;
        }
        unsentBytes += bytes.length();
        // A write that fails closes the response, and its handler tells.
        response.write(bytes).onComplete(written -> {
            unsentBytes -= bytes.length();
            runPendingDrain();
        });
    }

    @Override
    public long pendingBytes() {
        return unsentBytes;
    }

    @Override
    public void whenDrained(Runnable next) {
        onDrained = next;
        runPendingDrain();
    }

    private void runPendingDrain() {
        Runnable next = onDrained;
        if (next != null && unsentBytes < DRAINED_BYTES && !ended) {
            onDrained = null;
            next.run();
        }
    }

    /** A stream has no close codes: it just ends, and the reader comes back if it wants. */
    @Override
    public void close(ConnectionCloseReason connectionCloseReason) {
        if (loop().inEventLoop()) {
            end(connectionCloseReason);
        } else {
            loop().execute(() -> end(connectionCloseReason));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is over either way
    private void end(ConnectionCloseReason connectionCloseReason) {
        if (ended) {
            return;
        }
        transportListener.onServerClose(connectionCloseReason);
        // Not when the last byte is gone: a reader that reads nothing would be taken for present until then.
        markEnded();
        if (connectionCloseReason == ConnectionCloseReason.TOO_SLOW) {
            closeChannel();
        } else {
            response.reset();
            loop().schedule(this::closeChannel, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** From now on nothing is written, and the reader is not here any more. */
    private void markEnded() {
        if (!ended) {
            ended = true;
            onDrained = null;
            transportListener.onClose();
        }
    }

    /**
     * Ends the connection past Vert.x, which would first wait until everything written is sent: to a reader that reads
     * nothing that is never.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over either way
    private void closeChannel() {
        handler.close();
    }
}
