package dev.gavel.web.socket;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.topic.TransportListener;
import dev.gavel.mcpx.Utf8Validator;
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
 * Handles one WebSocket connection in Netty's pipeline: passes received envelopes to the gateway and writes outgoing
 * frames with backpressure.
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
final class WebSocketChannelHandler extends ChannelInboundHandlerAdapter implements TransportChannel {
    private static final Logger log = LoggerFactory.getLogger(WebSocketChannelHandler.class);

    /** Beyond this much in the channel, what is written waits in {@link #queue}. */
    private static final WriteBufferWaterMark CHANNEL_WATER_MARK = new WriteBufferWaterMark(128 * 1024, 512 * 1024);

    /** How long a peer may take to read our close frame, and we read on and discard, before the connection is cut. */
    private static final long CLOSING_MILLIS = 3_000;

    /** How long nothing is read from a peer that sends faster than it may. */
    private static final long PAUSE_MILLIS = 20;

    /** Often enough that no proxy takes a silent connection for a dead one. */
    private static final long PING_SECONDS = 20;

    /** So many pings without a sign of life, and the peer is taken for dead. */
    private static final int MAX_UNANSWERED_PINGS = 3;

    /**
     * How many a peer may that does not keep up: megabytes may be under way to it, and a ping stands behind them. Eight
     * minutes, which is what ten kilobytes a second need for that.
     */
    private static final int MAX_UNANSWERED_PINGS_SLOW = 24;

    private final int maxMessageBytes;
    private final int queueLimit;
    private final TransportListener transportListener;
    private final Runnable onEnd;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>(0);

    @SuppressWarnings("NullAway.Init") // it is in a pipeline before it is used
    private ChannelHandlerContext channelContext;

    /** Null before it has begun. */
    private @Nullable Future<?> pings;

    private @Nullable ByteBuf fragments;
    private @Nullable ByteBuf pong;
    /** Bytes in the queue; changed on the connection's loop alone. */
    private volatile int queuedBytes;

    private int unansweredPings;
    private boolean slow;
    private @Nullable Runnable onDrained;
    private boolean closing;
    private boolean aborted;
    private boolean ended;

    /**
     * Makes a tap that is in no pipeline yet.
     *
     * @param afterwards is done once the connection takes no more part, though it may still be closing
     */
    WebSocketChannelHandler(
            int longestMessage,
            int queueLimit,
            Function<TransportChannel, TransportListener> transportListeners,
            Runnable afterwards) {
        this.maxMessageBytes = longestMessage;
        this.queueLimit = queueLimit;
        this.onEnd = afterwards;
        this.transportListener = transportListeners.apply(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channelContext = ctx;
        ctx.channel().config().setWriteBufferWaterMark(CHANNEL_WATER_MARK);
    }

    /** Its part begins, unless it has ended already: what was read beforehand may have been nonsense. */
    void begin() {
        if (closing || ended) {
            return;
        }
        pings = loop().scheduleAtFixedRate(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
        transportListener.onOpen();
    }

    @Override
    public EventExecutor loop() {
        return channelContext.executor();
    }

    @Override
    public TransportFraming framing() {
        return TransportFraming.WEB_SOCKET;
    }

    @Override
    public void write(ByteBuf frames) {
        if (closing || ended) {
            frames.release();
        } else if (queue.isEmpty() && channelContext.channel().isWritable()) {
            channelContext.writeAndFlush(frames, channelContext.voidPromise());
        } else {
            queuedBytes += frames.readableBytes();
            queue.add(frames);
            if (queuedBytes > queueLimit) {
                closeNow(ConnectionCloseReason.TOO_SLOW);
            }
        }
    }

    @Override
    public long pendingBytes() {
        ChannelOutboundBuffer channel = channelContext.channel().unsafe().outboundBuffer();
        return queuedBytes + (channel == null ? 0 : channel.totalPendingWriteBytes());
    }

    @Override
    public void whenDrained(Runnable next) {
        if (queue.isEmpty() && channelContext.channel().isWritable()) {
            next.run();
        } else {
            onDrained = next;
        }
    }

    @Override
    public void close(ConnectionCloseReason why) {
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
            queuedBytes -= next.readableBytes();
            channelContext.write(next, channelContext.voidPromise());
        }
        channelContext.flush();
        if (ctx.channel().isWritable()) {
            // It takes what it is sent, so it lives, though it may get to the pings much later.
            unansweredPings = 0;
            sendPong();
            runPendingDrain();
        } else {
            slow = true;
        }
    }

    private void runPendingDrain() {
        Runnable next = onDrained;
        onDrained = null;
        if (next != null && !closing && !ended) {
            next.run();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        unansweredPings = 0;
        slow = !ctx.channel().isWritable();
        try {
            if (pings == null) {
                // Sent before the handshake was answered, which no proper client does.
                closeChannel();
                return;
            }
            if (closing) {
                if (message instanceof CloseWebSocketFrame) {
                    closeChannel();
                }
                return;
            }
            switch (message) {
                case TextWebSocketFrame text
                when text.isFinalFragment() && fragments == null -> receiveEnvelope(text.content());
                case TextWebSocketFrame text -> receiveFragment(text, fragments == null);
                case ContinuationWebSocketFrame more -> receiveFragment(more, fragments != null);
                case PingWebSocketFrame ping -> queuePong(ping.content());
                case CloseWebSocketFrame close -> replyToClose(close);
                case BinaryWebSocketFrame binary -> closeNow(ConnectionCloseReason.BINARY);
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
            transportListener.onReadComplete();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    /** The connection ended before it began; on its event loop. */
    void onCloseBeforeStart() {
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        switch (cause) {
            case CorruptedWebSocketFrameException corrupted ->
                closeNow(
                        switch (corrupted.closeStatus().code()) {
                            case 1007 -> ConnectionCloseReason.BAD_UTF8;
                            case 1009 -> ConnectionCloseReason.TOO_LARGE;
                            default -> ConnectionCloseReason.PROTOCOL_ERROR;
                        });
            case TooLongFrameException tooLong -> closeNow(ConnectionCloseReason.TOO_LARGE);
            // The peer went away, or what it sends is not even TLS: nothing that is ours to mend.
            case IOException reset -> abort(ConnectionCloseReason.BROKEN);
            case DecoderException garbage -> abort(ConnectionCloseReason.BROKEN);
            default -> {
                log.warn("a connection failed", cause);
                closeNow(ConnectionCloseReason.FAILED);
            }
        }
    }

    private void receiveEnvelope(ByteBuf text) {
        byte[] bytes = new byte[text.readableBytes()];
        text.readBytes(bytes);
        if (!Utf8Validator.isUtf8(bytes)) {
            closeNow(ConnectionCloseReason.BAD_UTF8);
        } else if (!transportListener.onReceive(bytes)) {
            pause();
        }
    }

    /** Puts a message that comes in several frames together; the decoder sees to it that they come in their order. */
    private void receiveFragment(WebSocketFrame frame, boolean inOrder) {
        if (!inOrder) {
            closeNow(ConnectionCloseReason.PROTOCOL_ERROR);
            return;
        }
        ByteBuf whole = fragments == null
                ? channelContext.alloc().buffer(frame.content().readableBytes())
                : fragments;
        fragments = whole;
        if (whole.readableBytes() + frame.content().readableBytes() > maxMessageBytes) {
            closeNow(ConnectionCloseReason.TOO_LARGE);
            return;
        }
        whole.writeBytes(frame.content());
        if (frame.isFinalFragment()) {
            receiveEnvelope(whole);
            releaseFragments();
        }
    }

    /** Reads nothing for a moment from a peer that sends faster than it may: what it sends then waits on its side. */
    private void pause() {
        if (channelContext.channel().config().isAutoRead()) {
            channelContext.channel().config().setAutoRead(false);
            channelContext
                    .executor()
                    .schedule(
                            () -> channelContext.channel().config().setAutoRead(true),
                            PAUSE_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /** Answers a ping; while the peer reads nothing only the latest is kept, which RFC 6455 allows. */
    private void queuePong(ByteBuf words) {
        ReferenceCountUtil.release(pong);
        pong = words.retain();
        if (channelContext.channel().isWritable()) {
            sendPong();
        }
    }

    private void sendPong() {
        if (pong != null) {
            channelContext.writeAndFlush(WebSocketControlFrameEncoder.pong(pong), channelContext.voidPromise());
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
        if (unansweredPings >= (slow ? MAX_UNANSWERED_PINGS_SLOW : MAX_UNANSWERED_PINGS)) {
            abort(ConnectionCloseReason.SILENT);
        } else if (!closing && !ended) {
            unansweredPings++;
            channelContext.writeAndFlush(WebSocketControlFrameEncoder.ping(), channelContext.voidPromise());
        }
    }

    private void replyToClose(CloseWebSocketFrame close) {
        closing = true;
        releaseQueue();
        end();
        int code = close.statusCode() < 0 ? ConnectionCloseReason.NORMAL.code() : close.statusCode();
        channelContext
                .writeAndFlush(WebSocketControlFrameEncoder.close(code, ""))
                .addListener(sent -> closeChannel());
        closeChannelLater();
    }

    private void closeNow(ConnectionCloseReason why) {
        if (closing || ended) {
            return;
        }
        closing = true;
        transportListener.onServerClose(why);
        if (why == ConnectionCloseReason.TOO_SLOW) {
            releaseQueue();
        }
        end();
        while (!queue.isEmpty()) {
            channelContext.write(queue.remove(), channelContext.voidPromise());
        }
        channelContext.writeAndFlush(
                WebSocketControlFrameEncoder.close(why.code(), why.reason()), channelContext.voidPromise());
        // What the peer still sends is read and thrown away until it has our close frame: closing with unread input
        // would reset the connection, and the peer would never learn the code.
        closeChannelLater();
    }

    /** Ends a connection that nothing more can be said on. */
    private void abort(ConnectionCloseReason why) {
        if (!closing && !ended && !aborted) {
            aborted = true;
            transportListener.onServerClose(why);
        }
        closeChannel();
    }

    private void closeChannelLater() {
        channelContext.executor().schedule(this::closeChannel, CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends the connection without another word. */
    void closeChannel() {
        channelContext.close();
    }

    private void end() {
        if (!ended) {
            ended = true;
            releaseFragments();
            ReferenceCountUtil.release(pong);
            pong = null;
            if (pings != null) {
                pings.cancel(false);
                transportListener.onClose();
            }
            onEnd.run();
        }
        if (!closing) {
            releaseQueue();
        }
    }

    private void releaseQueue() {
        queue.forEach(ReferenceCountUtil::release);
        queue.clear();
        queuedBytes = 0;
    }
}
