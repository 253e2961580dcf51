package dev.gavel.web;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes an HTTP connection whose client takes too long to send a complete request. Confined to the connection's event
 * loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends the channel; channelInactive follows
final class RequestTimeoutHandler extends ChannelDuplexHandler {
    /** The handler's name in a pipeline. */
    static final String NAME = "deadline";

    private final long timeoutMillis;
    private @Nullable Future<?> deadline;

    /** Requests that the client has sent completely, minus those that the server has answered completely. */
    private int unanswered;

    /** Whether the current response is not the answer yet, such as 100 (Continue) and 101 (Switching Protocols). */
    private boolean informational;

    RequestTimeoutHandler(long timeoutMillis) {
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        start(ctx);
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

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof WebSocketFrame) {
            // A frame before the handshake response, which no proper client sends: no WebSocket handler is installed
            // yet.
            ReferenceCountUtil.release(message);
            ctx.close();
            return;
        }
        if (message instanceof LastHttpContent) {
            unanswered++;
            restart(ctx);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }
        if (message instanceof LastHttpContent && !informational) {
            unanswered--;
            restart(ctx);
        }
        ctx.write(message, promise);
    }

    /** Starts the time for the next request, or stops it while the client waits for an answer. */
    private void restart(ChannelHandlerContext ctx) {
        stop();
        if (unanswered <= 0) {
            start(ctx);
        }
    }

    private void start(ChannelHandlerContext ctx) {
        deadline = ctx.executor().schedule(() -> expire(ctx), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private void expire(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer unsent = ctx.channel().unsafe().outboundBuffer();
        if (unsent != null && !unsent.isEmpty()) {
            // The client still receives a response, so it cannot send the next request yet. StalledReaderHandler closes
            // the connection if the client does not read.
            start(ctx);
        } else {
            ctx.channel().close();
        }
    }

    private void stop() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
