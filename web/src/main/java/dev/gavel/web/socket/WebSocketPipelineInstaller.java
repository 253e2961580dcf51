package dev.gavel.web.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.List;

/**
 * Hands an upgraded WebSocket connection to Gavel's own channel handler by replacing the Vert.x handlers in its
 * pipeline. The connection stays on the event loop that accepted it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do if a close fails
final class WebSocketPipelineInstaller {
    /** Vert.x's name for its frame decoder. */
    private static final String DECODER = "wsdecoder";

    private WebSocketPipelineInstaller() {}

    /**
     * Installs the handler and starts it. Must be called on the connection's event loop.
     *
     * @param channelHandler the handler that takes over the connection
     */
    static void install(ServerWebSocket socket, int maxFrameBytes, WebSocketChannelHandler channelHandler) {
        Channel channel = ((WebSocketInternal) socket).channelHandlerContext().channel();
        try {
            replaceHandlers(channel.pipeline(), maxFrameBytes, channelHandler);
            channel.flush();
        } catch (RuntimeException e) {
            abort(channel, channelHandler);
            throw e;
        }
        if (channel.isActive()) {
            channelHandler.begin();
        } else {
            abort(channel, channelHandler);
        }
    }

    private static void abort(Channel channel, WebSocketChannelHandler channelHandler) {
        channel.close();
        channelHandler.onCloseBeforeBegin();
    }

    /** Leaves only TLS, a frame decoder and the channel handler in the pipeline. */
    private static void replaceHandlers(
            ChannelPipeline pipeline, int maxFrameBytes, WebSocketChannelHandler channelHandler) {
        if (pipeline.context(DECODER) == null) {
            throw new IllegalStateException("Vert.x' WebSocket pipeline is not as expected: " + pipeline.names());
        }
        for (String name : List.copyOf(pipeline.names())) {
            ChannelHandler handler = pipeline.get(name);
            if (handler != null && !name.equals(DECODER) && !(handler instanceof SslHandler)) {
                pipeline.remove(handler);
            }
        }
        // Vert.x's decoder would answer a protocol error by itself, and the reset that follows would hide the close
        // code. The channel handler checks UTF-8 and joins fragments, because Netty's handlers for them cost a tenth of
        // all CPU time.
        MeasuredFrameDecoder decoder = new MeasuredFrameDecoder(WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(maxFrameBytes)
                .allowExtensions(false)
                .closeOnProtocolViolation(false)
                .build());
        channelHandler.setDecoder(decoder);
        pipeline.replace(DECODER, DECODER, decoder);
        pipeline.addLast(channelHandler);
    }
}
