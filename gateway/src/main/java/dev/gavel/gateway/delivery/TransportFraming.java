package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** How an envelope is framed on a transport: WebSocket frame, server-sent event, or in-process length prefix. */
public enum TransportFraming {
    /** One unmasked, final text frame of RFC 6455. It is the same for every receiver, so it can be shared. */
    WEB_SOCKET {
        private static final int FINAL_TEXT = 0x81;
        private static final int LENGTH_IN_16_BITS = 126;
        private static final int LENGTH_IN_64_BITS = 127;

        @Override
        void write(byte[] envelope, long seq, ByteBuf out) {
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
    },

    /** The length in four bytes and then the envelope: for receivers within this process. */
    IN_PROCESS {
        @Override
        void write(byte[] envelope, long seq, ByteBuf out) {
            out.writeInt(envelope.length).writeBytes(envelope);
        }
    },

    /**
     * One server-sent event: each line of the envelope as data, and a blank line. Its id is the seq, from which a
     * disconnected reader can resume.
     */
    EVENT_STREAM {
        private static final byte[] DATA = {'d', 'a', 't', 'a', ':', ' '};

        @Override
        void write(byte[] envelope, long seq, ByteBuf out) {
            if (seq != OutgoingEnvelope.NO_SEQ) {
                out.writeCharSequence("id: " + seq + "\n", StandardCharsets.US_ASCII);
            }
            out.writeBytes(DATA);
            for (byte each : envelope) {
                // Line ends within JSON are whitespace between tokens, so they can be replaced by other whitespace.
                if (each == '\n') {
                    out.writeByte('\n').writeBytes(DATA);
                } else if (each != '\r') {
                    out.writeByte(each);
                }
            }
            out.writeByte('\n').writeByte('\n');
        }
    };

    /** Appends one framed envelope. */
    abstract void write(byte[] envelope, long seq, ByteBuf out);

    void write(OutgoingEnvelope envelope, EnvelopeSyntax syntaxVersion, ByteBuf out) {
        write(envelope.encode(syntaxVersion), envelope.seq(), out);
    }
}
