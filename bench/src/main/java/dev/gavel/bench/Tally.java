package dev.gavel.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * What one participant has received, counted from the bytes and checked: of every sender each message once, in order.
 * An ordinary delivery costs a look at its header and its mark; only what is not where the last one's mark was is read
 * as text. Not thread-safe.
 */
final class Tally {
    /** Enough of a frame to tell what it is. */
    private static final int BEGINNING = 4 * 1024;

    private static final String CHAT = "\"kind\":\"chat.message\"";
    private static final String WELCOME = "\"kind\":\"system.welcome\"";
    private static final String ERROR = "\"kind\":\"system.error\"";

    private final String name;
    private final int[] expected;
    private final int own;
    private final Consumer<byte[]> pings;
    private long received;
    private boolean welcomed;
    /** Where in a payload the last mark was found; servers stamp envelopes much alike. */
    private int markAt;
    /** What is still to come of a frame too long for the buffer. */
    private long toSkip;

    /**
     * @param name whose tally it is, for messages
     * @param senders how many send
     * @param own which of them this participant is, whose messages must not come back; -1 for none
     * @param pings is given the payload of every ping
     */
    Tally(String name, int senders, int own, Consumer<byte[]> pings) {
        this.name = name;
        this.expected = new int[senders];
        this.own = own;
        this.pings = pings;
    }

    /** How many messages were received. */
    long received() {
        return received;
    }

    /** Whether the server has sent its welcome. */
    boolean welcomed() {
        return welcomed;
    }

    /** Counts the whole frames that stand from {@code from} to the buffer's position; says where they end. */
    int count(ByteBuffer in, int from) {
        int end = in.position();
        int at = from;
        if (toSkip > 0) {
            int skipped = (int) Math.min(toSkip, end - at);
            toSkip -= skipped;
            at += skipped;
        }
        int header;
        while ((header = Frames.header(in, at, end)) > 0) {
            long length = Frames.length(in, at);
            int there = end - at - header;
            if (there < length) {
                if (header + length <= in.capacity() || there < BEGINNING) {
                    break;
                }
                frame(in, at, at + header, BEGINNING);
                toSkip = length - there;
                return end;
            }
            frame(in, at, at + header, (int) length);
            at += header + (int) length;
        }
        return at;
    }

    private void frame(ByteBuffer in, int at, int payload, int length) {
        int opcode = Frames.opcode(in, at);
        if (opcode == Frames.TEXT) {
            if (markAt > 0
                    && markAt + Envelopes.MARK_LENGTH <= length
                    && in.getInt(payload + markAt) == Envelopes.MARK) {
                message(in, payload + markAt);
            } else {
                unfamiliar(in, payload, length);
            }
        } else {
            control(opcode, bytes(in, payload, length));
        }
    }

    private void message(ByteBuffer in, int mark) {
        int sender = Envelopes.sender(in.getInt(mark + 4));
        int number = Envelopes.number(in.getLong(mark + 8));
        if (sender >= expected.length || sender == own || number != expected[sender]) {
            String instead = sender >= expected.length
                    ? "no such sender is"
                    : sender == own ? "its own are not to come" : expected[sender] + " was to come";
            throw new LoadFailure("%s: got message %d of sender %d where %s".formatted(name, number, sender, instead));
        }
        expected[sender] = number + 1;
        received++;
    }

    private void unfamiliar(ByteBuffer in, int payload, int length) {
        // In ASCII, which envelopes of ours are, a character's index is its byte's.
        String text = new String(bytes(in, payload, Math.min(length, BEGINNING)), UTF_8);
        if (text.contains(CHAT)) {
            int mark = text.indexOf(Envelopes.MARK_TEXT);
            if (mark < 0) {
                throw new LoadFailure(name + ": got a message without its mark: " + text);
            }
            markAt = mark;
            message(in, payload + mark);
        } else if (text.contains(WELCOME)) {
            welcomed = true;
        } else if (text.contains(ERROR)) {
            throw new LoadFailure(name + ": the server refused: " + text);
        }
    }

    private void control(int opcode, byte[] payload) {
        switch (opcode) {
            case Frames.PING -> pings.accept(payload);
            case Frames.PONG -> {}
            case Frames.CLOSE ->
                throw new LoadFailure(name + ": the server closed the connection with "
                        + (payload.length < 2
                                ? "no code"
                                : (ByteBuffer.wrap(payload).getShort() & 0xffff) + " "
                                        + new String(payload, 2, payload.length - 2, UTF_8)));
            default -> throw new LoadFailure(name + ": the server sent a frame of opcode " + opcode);
        }
    }

    private static byte[] bytes(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        return bytes;
    }
}
