package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Counts the messages one participant receives and verifies that each sender's messages arrive once and in order. For
 * an ordinary delivery it reads only the header and the marker. It searches the text only if the marker is not at the
 * same offset as in the previous delivery. Not thread-safe.
 */
final class DeliveryVerifier {
    /** How much of a frame is searched to identify it. */
    private static final int BEGINNING = 4 * 1024;

    private static final String CHAT = "\"kind\":\"chat.message\"";
    private static final String WELCOME = "\"kind\":\"system.welcome\"";
    private static final String ERROR = "\"kind\":\"system.error\"";

    private final String name;
    private final int[] expectedSequences;
    private final int ownSender;
    private final Consumer<byte[]> pings;
    private long received;
    private boolean welcomed;
    /** The offset of the last marker in its payload; servers stamp envelopes much alike. */
    private int markerOffset;
    /** The remaining bytes of a frame that is too long for the buffer. */
    private long toSkip;

    /**
     * @param name the participant's name, for messages
     * @param senders the number of senders
     * @param own the index of the sender that this participant is, whose messages must not return to it; -1 for none
     * @param pings receives the payload of every ping
     */
    DeliveryVerifier(String name, int senders, int own, Consumer<byte[]> pings) {
        this.name = name;
        this.expectedSequences = new int[senders];
        this.ownSender = own;
        this.pings = pings;
    }

    /** The number of messages received. */
    long receivedCount() {
        return received;
    }

    /** Whether the server has sent its welcome. */
    boolean isWelcomed() {
        return welcomed;
    }

    /** Counts the complete frames between {@code from} and the buffer's position; returns the end of the last one. */
    int countFrames(ByteBuffer in, int from) {
        int end = in.position();
        int at = from;
        if (toSkip > 0) {
            int skipped = (int) Math.min(toSkip, end - at);
            toSkip -= skipped;
            at += skipped;
        }
        int header;
        while ((header = WebSocketFrameHeaderCodec.headerLength(in, at, end)) > 0) {
            long length = WebSocketFrameHeaderCodec.payloadLength(in, at);
            int available = end - at - header;
            if (available < length) {
                if (header + length <= in.capacity() || available < BEGINNING) {
                    break;
                }
                onFrame(in, at, at + header, BEGINNING);
                toSkip = length - available;
                return end;
            }
            onFrame(in, at, at + header, (int) length);
            at += header + (int) length;
        }
        return at;
    }

    private void onFrame(ByteBuffer in, int at, int payload, int length) {
        int opcode = WebSocketFrameHeaderCodec.opcode(in, at);
        if (opcode == WebSocketFrameHeaderCodec.TEXT) {
            if (markerOffset > 0
                    && markerOffset + ChatFrameGenerator.MARKER_LENGTH <= length
                    && in.getInt(payload + markerOffset) == ChatFrameGenerator.MARKER_PREFIX) {
                onMessage(in, payload + markerOffset);
            } else {
                onUnknownText(in, payload, length);
            }
        } else {
            onControlFrame(opcode, bytes(in, payload, length));
        }
    }

    private void onMessage(ByteBuffer in, int mark) {
        int sender = ChatFrameGenerator.parseSender(in.getInt(mark + 4));
        int number = ChatFrameGenerator.parseSequence(in.getLong(mark + 8));
        if (sender >= expectedSequences.length || sender == ownSender || number != expectedSequences[sender]) {
            String problem = sender >= expectedSequences.length
                    ? "there is no such sender"
                    : sender == ownSender
                            ? "a sender must not receive its own messages"
                            : "expected message " + expectedSequences[sender];
            throw new RunFailedException(
                    "%s: received message %d of sender %d: %s".formatted(name, number, sender, problem));
        }
        expectedSequences[sender] = number + 1;
        received++;
    }

    private void onUnknownText(ByteBuffer in, int payload, int length) {
        // The envelopes are ASCII, so a character's index is its byte's.
        String text = new String(bytes(in, payload, Math.min(length, BEGINNING)), UTF_8);
        if (text.contains(CHAT)) {
            int mark = text.indexOf(ChatFrameGenerator.MARKER_TEXT);
            if (mark < 0) {
                throw new RunFailedException(name + ": received a message without a marker: " + text);
            }
            markerOffset = mark;
            onMessage(in, payload + mark);
        } else if (text.contains(WELCOME)) {
            welcomed = true;
        } else if (text.contains(ERROR)) {
            throw new RunFailedException(name + ": the server refused a message: " + text);
        }
    }

    private void onControlFrame(int opcode, byte[] payload) {
        switch (opcode) {
            case WebSocketFrameHeaderCodec.PING -> pings.accept(payload);
            case WebSocketFrameHeaderCodec.PONG -> {}
            case WebSocketFrameHeaderCodec.CLOSE ->
                throw new RunFailedException(name + ": the server closed the connection with "
                        + (payload.length < 2
                                ? "no close code"
                                : (ByteBuffer.wrap(payload).getShort() & 0xffff) + " "
                                        + new String(payload, 2, payload.length - 2, UTF_8)));
            default -> throw new RunFailedException(name + ": the server sent a frame with opcode " + opcode);
        }
    }

    private static byte[] bytes(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        return bytes;
    }
}
