package dev.gavel.app.edge;

import dev.gavel.gateway.Inlet;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Outlet;
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
 * One reader of server-sent events: sent what a socket would be sent, it sends nothing itself. Confined to the
 * connection's event loop, but for {@link #close}.
 */
final class EventStream implements Outlet {
    /** What a reader may be behind, in bytes, before it is dropped. */
    private static final int BEHIND_BYTES = 8 * 1024 * 1024;

    /** Often enough that neither the idle timeout nor a proxy takes a silent stream for a dead one. */
    private static final long BEAT_MILLIS = 20_000;

    private static final Buffer BEAT = Buffer.buffer(":\n\n");

    /** What a reader may be behind and still be sent the next piece of what it missed. */
    private static final int TAKEN_BYTES = 64 * 1024;

    /** How long what was written before an end may take to be sent. */
    private static final long ENDING_MILLIS = 3_000;

    private final ChannelHandlerContext handler;
    private final HttpServerResponse response;
    private final Inlet inlet;
    private @Nullable Runnable taken;
    /** Changed on the connection's loop alone. */
    private volatile int behind;

    private boolean ended;

    private EventStream(ChannelHandlerContext handler, HttpServerResponse response, Function<Outlet, Inlet> inlets) {
        this.handler = handler;
        this.response = response;
        this.inlet = inlets.apply(this);
    }

    /**
     * Begins a stream as the answer to a request; on the connection's loop.
     *
     * @param afterwards is done when the stream has ended, however it does
     */
    static void start(
            ContextInternal here, HttpServerRequest request, Function<Outlet, Inlet> inlets, Runnable afterwards) {
        HttpServerResponse response = request.response();
        EventStream stream =
                new EventStream(((ConnectionBase) request.connection()).channelHandlerContext(), response, inlets);
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .exceptionHandler(failure -> {
                    // The reader went away; the close handler sees to it.
                });
        long beats = here.owner().setPeriodic(BEAT_MILLIS, id -> stream.write(BEAT));
        response.closeHandler(closed -> {
            here.owner().cancelTimer(beats);
            stream.ended();
            afterwards.run();
        });
        stream.inlet.began();
    }

    @Override
    public EventExecutor loop() {
        return handler.executor();
    }

    @Override
    public Framing framing() {
        return Framing.EVENT_STREAM;
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
        if (behind > BEHIND_BYTES) {
            close(Closing.TOO_SLOW);
            return;
        }
        behind += bytes.length();
        // A write that fails closes the response, and its handler tells.
        response.write(bytes).onComplete(written -> {
            behind -= bytes.length();
            taken();
        });
    }

    @Override
    public long waiting() {
        return behind;
    }

    @Override
    public void whenTaken(Runnable next) {
        taken = next;
        taken();
    }

    private void taken() {
        Runnable next = taken;
        if (next != null && behind < TAKEN_BYTES && !ended) {
            taken = null;
            next.run();
        }
    }

    /** A stream has no close codes: it just ends, and the reader comes back if it wants. */
    @Override
    public void close(Closing closing) {
        if (loop().inEventLoop()) {
            end(closing);
        } else {
            loop().execute(() -> end(closing));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is over either way
    private void end(Closing closing) {
        if (ended) {
            return;
        }
        inlet.dropped(closing);
        // Not when the last byte is gone: a reader that reads nothing would be taken for present until then.
        ended();
        if (closing == Closing.TOO_SLOW) {
            cut();
        } else {
            response.reset();
            loop().schedule(this::cut, ENDING_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** From now on nothing is written, and the reader is not here any more. */
    private void ended() {
        if (!ended) {
            ended = true;
            taken = null;
            inlet.ended();
        }
    }

    /**
     * Ends the connection past Vert.x, which would first wait until everything written is sent: to a reader that reads
     * nothing that is never.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over either way
    private void cut() {
        handler.close();
    }
}
