package dev.gavel.gateway.delivery;

import io.netty.buffer.ByteBuf;

/** How an envelope's bytes look on a transport. */
public enum Framing {
    /** One unmasked, final text frame of RFC 6455: the same for every receiver, which is why it can be shared. */
    WEB_SOCKET {
        private static final int FINAL_TEXT = 0x81;
        private static final int LENGTH_IN_16_BITS = 126;
        private static final int LENGTH_IN_64_BITS = 127;

        @Override
        void write(byte[] envelope, ByteBuf out) {
            int length = envelope.length;
            out.writeByte(FINAL_TEXT);
            if (length < LENGTH_IN_16_BITS) {
                out.writeByte(length);
            } else if (length <= 0xFFFF) {
                out.writeByte(LENGTH_IN_16_BITS).writeShort(length);
            } else {
                out.writeByte(LENGTH_IN_64_BITS).writeLong(length);
            }
            out.writeBytes(envelope);
        }
    };

    /** Appends one framed envelope. */
    abstract void write(byte[] envelope, ByteBuf out);
}
