package dev.gavel.app.edge;

import dev.gavel.gateway.Inlet;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.mcpx.Encoding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket connection, behind the frame decoder at the end of Netty's pipeline, where {@link Takeover} puts it: text
 * frames' bytes go straight to the gateway, framed envelopes straight to the socket, or to TLS.
 *
 * <p>Confined to the connection's event loop, but for {@link #close}. Nothing comes before {@link #begin}.
 *
 * <p>A receiver that does not keep up first fills the channel's own buffer, then a bounded queue here. When that is full
 * the queue is thrown away and the connection closed with 4008: nobody waits for it, and its memory is free at once.
 */
@SuppressWarnings({
    "FutureReturnValueIgnored", // a write or close that fails ends the channel, and channelInactive tells
    "NonAtomicVolatileUpdate" // one thread alone changes it
})
final class SocketTap extends ChannelInboundHandlerAdapter implements Outlet {
    private static final Logger log = LoggerFactory.getLogger(SocketTap.class);

    /** Beyond this much in the channel, what is written waits in {@link #queue}. */
    private static final WriteBufferWaterMark CHANNEL_BYTES = new WriteBufferWaterMark(128 * 1024, 512 * 1024);

    /** How long a peer may take to read our close frame, and we read on and discard, before the connection is cut. */
    private static final long CLOSING_MILLIS = 3_000;

    /** How long nothing is read from a peer that sends faster than it may. */
    private static final long PAUSE_MILLIS = 20;

    /** Often enough that no proxy takes a silent connection for a dead one. */
    private static final long PING_SECONDS = 20;

    /** So many pings without a sign of life, and the peer is taken for dead. */
    private static final int MOST_UNANSWERED = 3;

    /**
     * How many a peer may that does not keep up: megabytes may be under way to it, and a ping stands behind them. Eight
     * minutes, which is what ten kilobytes a second need for that.
     */
    private static final int MOST_UNANSWERED_BEHIND = 24;

    private final int longestMessage;
    private final int queueLimit;
    private final Inlet inlet;
    private final Runnable afterwards;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>(0);

    @SuppressWarnings("NullAway.Init") // it is in a pipeline before it is used
    private ChannelHandlerContext place;

    /** Null before it has begun. */
    private @Nullable Future<?> pings;

    private @Nullable ByteBuf fragments;
    private @Nullable ByteBuf pong;
    /** Bytes in the queue; changed on the connection's loop alone. */
    private volatile int queued;

    private int unanswered;
    private boolean behind;
    private @Nullable Runnable taken;
    private boolean closing;
    private boolean lost;
    private boolean ended;

    /**
     * Makes a tap that is in no pipeline yet.
     *
     * @param afterwards is done once the connection takes no more part, though it may still be closing
     */
    SocketTap(int longestMessage, int queueLimit, Function<Outlet, Inlet> inlets, Runnable afterwards) {
        this.longestMessage = longestMessage;
        this.queueLimit = queueLimit;
        this.afterwards = afterwards;
        this.inlet = inlets.apply(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        place = ctx;
        ctx.channel().config().setWriteBufferWaterMark(CHANNEL_BYTES);
    }

    /** Its part begins, unless it has ended already: what was read beforehand may have been nonsense. */
    void begin() {
        if (closing || ended) {
            return;
        }
        pings = loop().scheduleAtFixedRate(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
        inlet.began();
    }

    @Override
    public EventExecutor loop() {
        return place.executor();
    }

    @Override
    public Framing framing() {
        return Framing.WEB_SOCKET;
    }

    @Override
    public void write(ByteBuf frames) {
        if (closing || ended) {
            frames.release();
        } else if (queue.isEmpty() && place.channel().isWritable()) {
            place.writeAndFlush(frames, place.voidPromise());
        } else {
            queued += frames.readableBytes();
            queue.add(frames);
            if (queued > queueLimit) {
                closeNow(Closing.TOO_SLOW);
            }
        }
    }

    @Override
    public long waiting() {
        ChannelOutboundBuffer channel = place.channel().unsafe().outboundBuffer();
        return queued + (channel == null ? 0 : channel.totalPendingWriteBytes());
    }

    @Override
    public void whenTaken(Runnable next) {
        if (queue.isEmpty() && place.channel().isWritable()) {
            next.run();
        } else {
            taken = next;
        }
    }

    @Override
    public void close(Closing why) {
        if (loop().inEventLoop()) {
            closeNow(why);
        } else {
            loop().execute(() -> closeNow(why));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        while (!queue.isEmpty() && ctx.channel().isWritable()) {
            ByteBuf next = queue.remove();
            queued -= next.readableBytes();
            place.write(next, place.voidPromise());
        }
        place.flush();
        if (ctx.channel().isWritable()) {
            // It takes what it is sent, so it lives, though it may get to the pings much later.
            unanswered = 0;
            sendPong();
            taken();
        } else {
            behind = true;
        }
    }

    private void taken() {
        Runnable next = taken;
        taken = null;
        if (next != null && !closing && !ended) {
            next.run();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        unanswered = 0;
        behind = !ctx.channel().isWritable();
        try {
            if (pings == null) {
                // Sent before the handshake was answered, which no proper client does.
                cut();
                return;
            }
            if (closing) {
                if (message instanceof CloseWebSocketFrame) {
                    cut();
                }
                return;
            }
            switch (message) {
                case TextWebSocketFrame text
                when text.isFinalFragment() && fragments == null -> envelope(text.content());
                case TextWebSocketFrame text -> fragment(text, fragments == null);
                case ContinuationWebSocketFrame more -> fragment(more, fragments != null);
                case PingWebSocketFrame ping -> pong(ping.content());
                case CloseWebSocketFrame close -> answer(close);
                case BinaryWebSocketFrame binary -> closeNow(Closing.BINARY);
                default -> {
                    // A pong: that it came is all it says.
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!closing) {
            inlet.receivedAll();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    /** The connection ended before it began; on its event loop. */
    void vanished() {
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        switch (cause) {
            case CorruptedWebSocketFrameException corrupted ->
                closeNow(
                        switch (corrupted.closeStatus().code()) {
                            case 1007 -> Closing.BAD_UTF8;
                            case 1009 -> Closing.TOO_LARGE;
                            default -> Closing.PROTOCOL_ERROR;
                        });
            case TooLongFrameException tooLong -> closeNow(Closing.TOO_LARGE);
            // The peer went away, or what it sends is not even TLS: nothing that is ours to mend.
            case IOException reset -> lose(Closing.BROKEN);
            case DecoderException garbage -> lose(Closing.BROKEN);
            default -> {
                log.warn("a connection failed", cause);
                closeNow(Closing.FAILED);
            }
        }
    }

    private void envelope(ByteBuf text) {
        byte[] bytes = new byte[text.readableBytes()];
        text.readBytes(bytes);
        if (!Encoding.isUtf8(bytes)) {
            closeNow(Closing.BAD_UTF8);
        } else if (!inlet.received(bytes)) {
            pause();
        }
    }

    /** Puts a message that comes in several frames together; the decoder sees to it that they come in their order. */
    private void fragment(WebSocketFrame frame, boolean inOrder) {
        if (!inOrder) {
            closeNow(Closing.PROTOCOL_ERROR);
            return;
        }
        ByteBuf whole = fragments == null ? place.alloc().buffer(frame.content().readableBytes()) : fragments;
        fragments = whole;
        if (whole.readableBytes() + frame.content().readableBytes() > longestMessage) {
            closeNow(Closing.TOO_LARGE);
            return;
        }
        whole.writeBytes(frame.content());
        if (frame.isFinalFragment()) {
            envelope(whole);
            releaseFragments();
        }
    }

    /** Reads nothing for a moment from a peer that sends faster than it may: what it sends then waits on its side. */
    private void pause() {
        if (place.channel().config().isAutoRead()) {
            place.channel().config().setAutoRead(false);
            place.executor()
                    .schedule(() -> place.channel().config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Answers a ping; while the peer reads nothing only the latest is kept, which RFC 6455 allows. */
    private void pong(ByteBuf words) {
        ReferenceCountUtil.release(pong);
        pong = words.retain();
        if (place.channel().isWritable()) {
            sendPong();
        }
    }

    private void sendPong() {
        if (pong != null) {
            place.writeAndFlush(ControlFrame.pong(pong), place.voidPromise());
            pong = null;
        }
    }

    private void releaseFragments() {
        ReferenceCountUtil.release(fragments);
        fragments = null;
    }

    /**
     * Sends a ping, so that an idle but living connection is not taken for a dead one; a peer that answered none of the
     * last few is dead.
     */
    void ping() {
        if (unanswered >= (behind ? MOST_UNANSWERED_BEHIND : MOST_UNANSWERED)) {
            lose(Closing.SILENT);
        } else if (!closing && !ended) {
            unanswered++;
            place.writeAndFlush(ControlFrame.ping(), place.voidPromise());
        }
    }

    private void answer(CloseWebSocketFrame close) {
        closing = true;
        releaseQueue();
        end();
        int code = close.statusCode() < 0 ? Closing.NORMAL.code() : close.statusCode();
        place.writeAndFlush(ControlFrame.close(code, "")).addListener(sent -> cut());
        cutLater();
    }

    private void closeNow(Closing why) {
        if (closing || ended) {
            return;
        }
        closing = true;
        inlet.dropped(why);
        if (why == Closing.TOO_SLOW) {
            releaseQueue();
        }
        end();
        while (!queue.isEmpty()) {
            place.write(queue.remove(), place.voidPromise());
        }
        place.writeAndFlush(ControlFrame.close(why.code(), why.reason()), place.voidPromise());
        // What the peer still sends is read and thrown away until it has our close frame: closing with unread input
        // would reset the connection, and the peer would never learn the code.
        cutLater();
    }

    /** Ends a connection that nothing more can be said on. */
    private void lose(Closing why) {
        if (!closing && !ended && !lost) {
            lost = true;
            inlet.dropped(why);
        }
        cut();
    }

    private void cutLater() {
        place.executor().schedule(this::cut, CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends the connection without another word. */
    void cut() {
        place.close();
    }

    private void end() {
        if (!ended) {
            ended = true;
            releaseFragments();
            ReferenceCountUtil.release(pong);
            pong = null;
            if (pings != null) {
                pings.cancel(false);
                inlet.ended();
            }
            afterwards.run();
        }
        if (!closing) {
            releaseQueue();
        }
    }

    private void releaseQueue() {
        queue.forEach(ReferenceCountUtil::release);
        queue.clear();
        queued = 0;
    }
}
