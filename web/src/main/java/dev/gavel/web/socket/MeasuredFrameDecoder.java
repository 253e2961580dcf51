package dev.gavel.web.socket;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;

/** Decodes WebSocket frames and knows how much memory an unfinished frame takes. Confined to its event loop. */
final class MeasuredFrameDecoder extends WebSocket13FrameDecoder {
    MeasuredFrameDecoder(WebSocketDecoderConfig config) {
        super(config);
    }

    /** The size of the buffer that holds an unfinished frame; zero if there is none. */
    int unfinishedBytes() {
        ByteBuf unfinished = internalBuffer();
        return unfinished.isReadable() ? unfinished.capacity() : 0;
    }
}
