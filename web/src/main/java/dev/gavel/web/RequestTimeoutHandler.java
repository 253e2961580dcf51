package dev.gavel.web;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
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
    private boolean upgraded;

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
            stop();
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            upgraded = response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
        }
        if (message instanceof LastHttpContent && !upgraded) {
            start(ctx);
        }
        ctx.write(message, promise);
    }

    private void start(ChannelHandlerContext ctx) {
        stop();
        deadline = ctx.executor().schedule(() -> ctx.channel().close(), timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
