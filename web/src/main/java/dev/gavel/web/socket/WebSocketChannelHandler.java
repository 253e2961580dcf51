package dev.gavel.web.socket;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.FloodMeter;
import dev.gavel.gateway.delivery.TransportChannel;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.topic.TransportListener;
import dev.gavel.mcpx.Utf8Validator;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.MemoryQuota;
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
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
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
 * <p>Confined to the connection's event loop, except for {@link #close}. No envelope is received before {@link #begin}.
 *
 * <p>A client that does not keep up first fills the channel's own buffer, then a bounded queue here. When that is full,
 * the queue is discarded and the connection closed with 4008: no other client waits for it, and its memory is free at
 * once.
 */
@SuppressWarnings({
    "FutureReturnValueIgnored", // a failed write or close ends the channel; channelInactive follows
    "NonAtomicVolatileUpdate" // only the event loop changes it
})
final class WebSocketChannelHandler extends ChannelInboundHandlerAdapter implements TransportChannel {
    private static final Logger log = LoggerFactory.getLogger(WebSocketChannelHandler.class);

    /**
     * While the channel holds more bytes than the high mark, frames wait in {@link #outgoingFrames}. Below the low mark
     * they are written again.
     */
    private static final WriteBufferWaterMark CHANNEL_WATER_MARK = new WriteBufferWaterMark(128 * 1024, 512 * 1024);

    /**
     * How long a client may take to read the close frame before the connection is cut. Input is read and discarded
     * meanwhile.
     */
    private static final long CLOSE_TIMEOUT_MILLIS = 3_000;

    /** How long reading pauses for a client that exceeds its rate. */
    private static final long READ_PAUSE_MILLIS = 20;

    /** A client has no reason to send many fragments that are shorter. */
    private static final int MIN_FRAGMENT_BYTES = 64;

    /** The size of a buffer in which Netty first receives data. Unfinished messages up to this size do not count. */
    private static final int MAX_UNCOUNTED_BYTES = 4096;

    private static final int LARGE_MESSAGE_BYTES = 1024 * 1024;

    /** Frequent enough that no proxy closes a silent connection. */
    private static final long PING_SECONDS = 20;

    /** After this many pings without any input, the client counts as dead. */
    private static final int MAX_UNANSWERED_PINGS = 3;

    /**
     * The limit for a client that does not keep up: megabytes may be under way to it, and a ping waits behind them. It
     * allows eight minutes, the time they take at ten kilobytes a second.
     */
    private static final int MAX_UNANSWERED_PINGS_SLOW = 24;

    private final int maxMessageBytes;
    private final int maxQueuedBytes;
    private final int maxLargeMessageBytes;
    private final TransportListener transportListener;
    private final Runnable onEnd;
    private final ArrayDeque<ByteBuf> outgoingFrames = new ArrayDeque<>(0);

    @SuppressWarnings("NullAway.Init") // Netty sets it before any use
    private ChannelHandlerContext channelContext;

    @SuppressWarnings("NullAway.Init") // set together with channelContext
    private MemoryQuota.Reservation unfinishedQuota;

    /** The bytes of unfinished messages that {@link #unfinishedQuota} counts. */
    private int countedUnfinishedBytes;

    /** Null in a pipeline without a decoder. */
    private @Nullable MeasuredFrameDecoder decoder;

    /** Null before {@link #begin}. */
    private @Nullable Future<?> pingTask;

    private @Nullable ByteBuf partialMessage;
    private @Nullable ByteBuf pendingPongPayload;
    /** Bytes in the queue; changed only on the connection's event loop. */
    private volatile int queuedBytes;

    /** The length of the longest buffer that was queued since the queue was empty. */
    private int largestQueued;

    private final FloodMeter floodMeter = new FloodMeter();
    private int unansweredPings;
    private boolean slow;
    private @Nullable Runnable onDrained;
    private boolean closing;
    private boolean aborted;
    private boolean ended;

    /**
     * Creates a handler that is in no pipeline yet.
     *
     * @param maxLargeMessageBytes how many bytes more it may be behind because of one message above 1 MiB
     * @param onEnd runs when the connection no longer takes part in the topic, though it may still be closing
     */
    WebSocketChannelHandler(
            int maxMessageBytes,
            int queueLimit,
            int maxLargeMessageBytes,
            Function<TransportChannel, TransportListener> listenerFactory,
            Runnable onEnd) {
        this.maxMessageBytes = maxMessageBytes;
        this.maxQueuedBytes = queueLimit;
        this.maxLargeMessageBytes = maxLargeMessageBytes;
        this.onEnd = onEnd;
        this.transportListener = listenerFactory.apply(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channelContext = ctx;
        ctx.channel().config().setWriteBufferWaterMark(CHANNEL_WATER_MARK);
        unfinishedQuota = ConnectionLimiter.reserveUnfinishedMessage(ctx.channel());
    }

    /** Sets the decoder whose unfinished frames count against the identity's memory. */
    void setDecoder(MeasuredFrameDecoder measuredFrameDecoder) {
        decoder = measuredFrameDecoder;
    }

    /**
     * Starts the connection's part in the topic, unless it has ended already: input read together with the handshake
     * may have been invalid.
     */
    void begin() {
        if (closing || ended) {
            return;
        }
        pingTask = loop().scheduleAtFixedRate(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
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
        } else if (outgoingFrames.isEmpty() && channelContext.channel().isWritable()) {
            channelContext.writeAndFlush(frames, channelContext.voidPromise());
        } else {
            int length = frames.readableBytes();
            // A large answer alone must not disconnect a client, whatever follows it.
            largestQueued = Math.max(outgoingFrames.isEmpty() ? 0 : largestQueued, length);
            queuedBytes += length;
            outgoingFrames.add(frames);
            int exempt = largestQueued > LARGE_MESSAGE_BYTES ? Math.min(largestQueued, maxLargeMessageBytes) : 0;
            if (queuedBytes - exempt > maxQueuedBytes) {
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
        if (outgoingFrames.isEmpty() && channelContext.channel().isWritable()) {
            next.run();
        } else {
            onDrained = next;
        }
    }

    @Override
    public void close(ConnectionCloseReason closeReason) {
        if (loop().inEventLoop()) {
            closeNow(closeReason);
        } else {
            loop().execute(() -> closeNow(closeReason));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        while (!outgoingFrames.isEmpty() && ctx.channel().isWritable()) {
            ByteBuf next = outgoingFrames.remove();
            queuedBytes -= next.readableBytes();
            channelContext.write(next, channelContext.voidPromise());
        }
        channelContext.flush();
        if (ctx.channel().isWritable()) {
            // The client reads, so it is alive, though it may reach the pings much later.
            unansweredPings = 0;
            sendPong();
            runDrainCallback();
        } else {
            slow = true;
        }
    }

    private void runDrainCallback() {
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
            if (pingTask == null) {
                // A frame before the handshake response, which no proper client sends.
                closeChannel();
                return;
            }
            if (closing) {
                if (message instanceof CloseWebSocketFrame) {
                    closeChannel();
                }
                return;
            }
            if (isUseless(message) && floodMeter.countAndCheck()) {
                closeNow(ConnectionCloseReason.FLOODING);
                return;
            }
            switch (message) {
                case TextWebSocketFrame text
                when text.isFinalFragment() && partialMessage == null -> receiveEnvelope(text.content());
                case TextWebSocketFrame text -> receiveFragment(text, partialMessage == null);
                case ContinuationWebSocketFrame continuation -> receiveFragment(continuation, partialMessage != null);
                case PingWebSocketFrame ping -> queuePong(ping.content());
                case CloseWebSocketFrame close -> replyToClose(close);
                case BinaryWebSocketFrame binary -> closeNow(ConnectionCloseReason.BINARY);
                default -> {
                    // A pong has no other effect than to show that the client is alive.
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    /** Whether a frame carries no envelope data, so that the sender's rate limit does not apply to it. */
    private static boolean isUseless(Object message) {
        return message instanceof PingWebSocketFrame
                || message instanceof PongWebSocketFrame
                || (message instanceof WebSocketFrame frame
                        && !frame.isFinalFragment()
                        && frame.content().readableBytes() < MIN_FRAGMENT_BYTES);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ConnectionLimiter.markActive(ctx.channel());
        countUnfinishedBytes();
        if (!closing) {
            transportListener.onReadComplete();
        }
    }

    /**
     * Counts the memory of an unfinished frame and of the fragments before it. Closes the connection if the unfinished
     * messages of the identity, or those of all identities, take too much memory.
     */
    private void countUnfinishedBytes() {
        int frame = decoder == null ? 0 : decoder.unfinishedBytes();
        int unfinished = frame + (partialMessage == null ? 0 : partialMessage.capacity());
        int counted = unfinished <= MAX_UNCOUNTED_BYTES ? 0 : unfinished;
        int more = counted - countedUnfinishedBytes;
        countedUnfinishedBytes = counted;
        if (more < 0) {
            unfinishedQuota.subtract(-more);
        } else if (more > 0 && unfinishedQuota.add(more).isPresent()) {
            closeNow(ConnectionCloseReason.UNFINISHED);
        }
        if (closing && counted > 0) {
            discardInput();
        }
    }

    /** Replaces the decoder of a connection that is closing, so that an unfinished frame no longer takes memory. */
    private void discardInput() {
        MeasuredFrameDecoder replaced = decoder;
        decoder = null;
        if (replaced != null) {
            channelContext.pipeline().replace(replaced, null, new InputDiscarder());
        }
        countUnfinishedBytes();
    }

    /** Discards all input of a connection that is closing. */
    private static final class InputDiscarder extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        unfinishedQuota.release();
        end();
    }

    /** Called on the connection's event loop if the connection ended before {@link #begin}. */
    void onCloseBeforeBegin() {
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
            // The client disconnected, or sends data that is not even TLS: not an error of this server.
            case IOException reset -> abort(ConnectionCloseReason.BROKEN);
            case DecoderException invalid -> abort(ConnectionCloseReason.BROKEN);
            default -> {
                log.warn("A WebSocket connection failed.", cause);
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
            pauseReading();
        }
    }

    /** Joins a message that arrives in several frames. Closes the connection if a frame is out of order. */
    private void receiveFragment(WebSocketFrame frame, boolean inOrder) {
        if (!inOrder) {
            closeNow(ConnectionCloseReason.PROTOCOL_ERROR);
            return;
        }
        ByteBuf joined = partialMessage == null
                ? channelContext.alloc().buffer(frame.content().readableBytes())
                : partialMessage;
        partialMessage = joined;
        if (joined.readableBytes() + frame.content().readableBytes() > maxMessageBytes) {
            closeNow(ConnectionCloseReason.TOO_LARGE);
            return;
        }
        joined.writeBytes(frame.content());
        if (frame.isFinalFragment()) {
            receiveEnvelope(joined);
            releaseFragments();
        }
    }

    /** Pauses reading from a client that exceeds its rate, so that its data waits on its side. */
    private void pauseReading() {
        if (channelContext.channel().config().isAutoRead()) {
            channelContext.channel().config().setAutoRead(false);
            channelContext
                    .executor()
                    .schedule(
                            () -> channelContext.channel().config().setAutoRead(true),
                            READ_PAUSE_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /** Answers a ping. While the client reads nothing, only the latest pong is stored, as RFC 6455 allows. */
    private void queuePong(ByteBuf payload) {
        ReferenceCountUtil.release(pendingPongPayload);
        pendingPongPayload = payload.retain();
        if (channelContext.channel().isWritable()) {
            sendPong();
        }
    }

    private void sendPong() {
        if (pendingPongPayload != null) {
            channelContext.writeAndFlush(
                    WebSocketControlFrameEncoder.pong(pendingPongPayload), channelContext.voidPromise());
            pendingPongPayload = null;
        }
    }

    private void releaseFragments() {
        ReferenceCountUtil.release(partialMessage);
        partialMessage = null;
    }

    /**
     * Sends a ping, so that proxies do not close an idle connection. Closes the connection if the client answered none
     * of the last few pings.
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

    private void closeNow(ConnectionCloseReason closeReason) {
        if (closing || ended) {
            return;
        }
        closing = true;
        transportListener.onServerClose(closeReason);
        if (closeReason == ConnectionCloseReason.TOO_SLOW) {
            releaseQueue();
        }
        end();
        while (!outgoingFrames.isEmpty()) {
            channelContext.write(outgoingFrames.remove(), channelContext.voidPromise());
        }
        channelContext.writeAndFlush(
                WebSocketControlFrameEncoder.close(closeReason.code(), closeReason.reason()),
                channelContext.voidPromise());
        if (decoder != null && decoder.unfinishedBytes() > MAX_UNCOUNTED_BYTES) {
            // Later, because the decoder may be the caller.
            loop().execute(this::countUnfinishedBytes);
        }
        // Input is read and discarded until the client has the close frame: closing with unread input would reset the
        // connection, and the client would never receive the code.
        closeChannelLater();
    }

    /** Closes a connection on which no close frame can be sent. */
    private void abort(ConnectionCloseReason closeReason) {
        if (!closing && !ended && !aborted) {
            aborted = true;
            transportListener.onServerClose(closeReason);
        }
        closeChannel();
    }

    private void closeChannelLater() {
        channelContext.executor().schedule(this::closeChannel, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes the connection without a close frame. */
    void closeChannel() {
        channelContext.close();
    }

    private void end() {
        if (!ended) {
            ended = true;
            releaseFragments();
            ReferenceCountUtil.release(pendingPongPayload);
            pendingPongPayload = null;
            if (pingTask != null) {
                pingTask.cancel(false);
                transportListener.onClose();
            }
            onEnd.run();
        }
        if (!closing) {
            releaseQueue();
        }
    }

    private void releaseQueue() {
        outgoingFrames.forEach(ReferenceCountUtil::release);
        outgoingFrames.clear();
        queuedBytes = 0;
    }
}
