package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Counts the messages one participant receives and verifies that each sender's messages arrive once and in order. An
 * ordinary delivery costs a look at its header and its mark; only what is not where the last one's mark was is read as
 * text. Not thread-safe.
 */
final class DeliveryVerifier {
    /** Enough of a frame to tell what it is. */
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
    /** Where in a payload the last mark was found; servers stamp envelopes much alike. */
    private int markerOffset;
    /** What is still to come of a frame too long for the buffer. */
    private long toSkip;

    /**
     * @param name whose tally it is, for messages
     * @param senders how many send
     * @param own which of them this participant is, whose messages must not come back; -1 for none
     * @param pings is given the payload of every ping
     */
    DeliveryVerifier(String name, int senders, int own, Consumer<byte[]> pings) {
        this.name = name;
        this.expectedSequences = new int[senders];
        this.ownSender = own;
        this.pings = pings;
    }

    /** How many messages were received. */
    long receivedCount() {
        return received;
    }

    /** Whether the server has sent its welcome. */
    boolean isWelcomed() {
        return welcomed;
    }

    /** Counts the whole frames that stand from {@code from} to the buffer's position; says where they end. */
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
            int there = end - at - header;
            if (there < length) {
                if (header + length <= in.capacity() || there < BEGINNING) {
                    break;
                }
                onFrame(in, at, at + header, BEGINNING);
                toSkip = length - there;
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
            String instead = sender >= expectedSequences.length
                    ? "no such sender is"
                    : sender == ownSender ? "its own are not to come" : expectedSequences[sender] + " was to come";
            throw new RunFailedException(
                    "%s: got message %d of sender %d where %s".formatted(name, number, sender, instead));
        }
        expectedSequences[sender] = number + 1;
        received++;
    }

    private void onUnknownText(ByteBuffer in, int payload, int length) {
        // In ASCII, which envelopes of ours are, a character's index is its byte's.
        String text = new String(bytes(in, payload, Math.min(length, BEGINNING)), UTF_8);
        if (text.contains(CHAT)) {
            int mark = text.indexOf(ChatFrameGenerator.MARKER_TEXT);
            if (mark < 0) {
                throw new RunFailedException(name + ": got a message without its mark: " + text);
            }
            markerOffset = mark;
            onMessage(in, payload + mark);
        } else if (text.contains(WELCOME)) {
            welcomed = true;
        } else if (text.contains(ERROR)) {
            throw new RunFailedException(name + ": the server refused: " + text);
        }
    }

    private void onControlFrame(int opcode, byte[] payload) {
        switch (opcode) {
            case WebSocketFrameHeaderCodec.PING -> pings.accept(payload);
            case WebSocketFrameHeaderCodec.PONG -> {}
            case WebSocketFrameHeaderCodec.CLOSE ->
                throw new RunFailedException(name + ": the server closed the connection with "
                        + (payload.length < 2
                                ? "no code"
                                : (ByteBuffer.wrap(payload).getShort() & 0xffff) + " "
                                        + new String(payload, 2, payload.length - 2, UTF_8)));
            default -> throw new RunFailedException(name + ": the server sent a frame of opcode " + opcode);
        }
    }

    private static byte[] bytes(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        return bytes;
    }
}
