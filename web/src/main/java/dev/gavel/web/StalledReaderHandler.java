package dev.gavel.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes an HTTP connection whose client has read nothing for a while, although there is unsent data. A client that
 * reads slowly keeps its connection. Confined to the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write ends the channel; channelInactive follows
final class StalledReaderHandler extends ChannelDuplexHandler {
    /** The handler's name in a pipeline. */
    static final String NAME = "stalled-reader";

    /** A client that has just stopped reading at the first check is closed at the third one. */
    private static final int MAX_CHECKS_WITHOUT_PROGRESS = 2;

    private final long checkIntervalMillis;
    private @Nullable Future<?> nextCheck;
    private int checksWithoutProgress;

    // What was unsent at the last check.
    private long lastPendingBytes;
    private int lastMessage;
    private long lastProgress;

    /**
     * Creates a handler for one connection.
     *
     * @param timeoutMillis how long a client may read nothing
     */
    StalledReaderHandler(long timeoutMillis) {
        this.checkIntervalMillis = timeoutMillis / MAX_CHECKS_WITHOUT_PROGRESS;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (nextCheck == null) {
            checksWithoutProgress = -1;
            schedule(ctx);
        }
        ctx.write(message, promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stop();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stop();
        ctx.fireChannelInactive();
    }

    private void schedule(ChannelHandlerContext ctx) {
        nextCheck = ctx.executor().schedule(() -> check(ctx), checkIntervalMillis, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        if (nextCheck != null) {
            nextCheck.cancel(false);
            nextCheck = null;
        }
    }

    private void check(ChannelHandlerContext ctx) {
        nextCheck = null;
        Channel channel = ctx.channel();
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        if (unsent == null || unsent.isEmpty()) {
            // The next write starts the checks again.
            return;
        }
        long pendingBytes = unsent.totalPendingWriteBytes();
        int message = System.identityHashCode(unsent.current());
        long progress = unsent.currentProgress();
        // More pending bytes are no progress: the server may have written more.
        boolean progressed = message != lastMessage || progress != lastProgress || pendingBytes < lastPendingBytes;
        checksWithoutProgress = progressed || checksWithoutProgress < 0 ? 0 : checksWithoutProgress + 1;
        lastPendingBytes = pendingBytes;
        lastMessage = message;
        lastProgress = progress;
        if (checksWithoutProgress >= MAX_CHECKS_WITHOUT_PROGRESS) {
            // Not through the pipeline: TLS and Vert.x would first try to send the rest.
            channel.unsafe().close(channel.voidPromise());
        } else {
            schedule(ctx);
        }
    }
}
