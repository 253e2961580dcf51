package dev.gavel.web.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Encodes the ping, pong and close frames that the server sends on a WebSocket (RFC 6455 section 5.5). */
final class WebSocketControlFrameEncoder {
    private static final int CLOSE_FRAME_BYTE = 0x88;
    private static final int FINAL_PING = 0x89;
    private static final int FINAL_PONG = 0x8A;

    private static final ByteBuf PING = Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(2, 2).writeByte(FINAL_PING).writeByte(0))
            .asReadOnly();

    private WebSocketControlFrameEncoder() {}

    static ByteBuf ping() {
        return PING.duplicate();
    }

    /** The response to a ping, with the ping's payload. */
    static ByteBuf pong(ByteBuf payload) {
        return Unpooled.wrappedBuffer(header(FINAL_PONG, payload.readableBytes()), payload);
    }

    /**
     * A close frame.
     *
     * @param reason a short text; with the code it has at most 125 bytes
     */
    static ByteBuf close(int code, String reason) {
        byte[] payload = reason.getBytes(StandardCharsets.UTF_8);
        return header(CLOSE_FRAME_BYTE, 2 + payload.length).writeShort(code).writeBytes(payload);
    }

    private static ByteBuf header(int first, int length) {
        return Unpooled.buffer(2 + length).writeByte(first).writeByte(length);
    }
}
