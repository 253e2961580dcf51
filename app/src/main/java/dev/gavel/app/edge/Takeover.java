package dev.gavel.app.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.List;

/**
 * Takes an upgraded connection out of Vert.x' hands, and to the event loop its topic lives on: from then on what a topic
 * is sent and sends on is the work of one thread, and a connection costs the memory of a socket and a tap.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails leaves nothing to do
final class Takeover {
    /** What Vert.x calls the one that makes frames of bytes. */
    private static final String DECODER = "wsdecoder";

    private Takeover() {}

    /**
     * Takes a connection over; on the event loop that accepted it.
     *
     * @param tap is given the connection, and begins once it is where it stays
     */
    static void take(ServerWebSocket socket, int longestFrame, SocketTap tap, EventLoop home) {
        Channel channel = ((WebSocketInternal) socket).channelHandlerContext().channel();
        // Before the peer can have seen that it was let in: nothing comes while the connection moves.
        channel.config().setAutoRead(false);
        refit(channel.pipeline(), longestFrame, tap);
        channel.flush();
        boolean unsent = channel.unsafe().outboundBuffer().totalPendingWriteBytes() > 0;
        if (home.inEventLoop() || unsent || !channel.isActive()) {
            begin(channel, tap);
        } else {
            channel.deregister()
                    .addListener(left -> home.register(channel).addListener(arrived -> begin(channel, tap)));
        }
    }

    private static void begin(Channel channel, SocketTap tap) {
        if (channel.isActive() && channel.isRegistered()) {
            tap.begin();
            channel.config().setAutoRead(true);
        } else {
            channel.close();
            tap.vanished();
        }
    }

    /** Leaves nothing in the pipeline but TLS, a frame decoder and the tap. */
    private static void refit(ChannelPipeline pipeline, int longestFrame, SocketTap tap) {
        if (pipeline.context(DECODER) == null) {
            throw new IllegalStateException("Vert.x' WebSocket pipeline is not as expected: " + pipeline.names());
        }
        for (String name : List.copyOf(pipeline.names())) {
            ChannelHandler handler = pipeline.get(name);
            if (handler != null && !name.equals(DECODER) && !(handler instanceof SslHandler)) {
                pipeline.remove(handler);
            }
        }
        // Vert.x' decoder would answer a protocol error by itself, and the reset that follows would hide the close
        // code.
        // UTF-8 and fragments are the tap's: Netty's handlers for them cost a tenth of all CPU.
        pipeline.replace(
                DECODER,
                DECODER,
                new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(longestFrame)
                        .allowExtensions(false)
                        .closeOnProtocolViolation(false)
                        .build()));
        pipeline.addLast(tap);
    }
}
