package dev.gavel.mcp.facade;

import dev.gavel.mcp.rpc.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages to a client that belong together: those of one request, or those of none. A client that was cut off takes it up
 * again after the last message it received. Confined to the topic's loop.
 */
final class Outflow {
    /** What is kept for a client that was cut off; the last message, an answer, is always among it. */
    private static final int MOST_KEPT = 64;

    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private final String name;
    private final Runnable lost;
    private final Deque<Event> kept = new ArrayDeque<>();
    private long number;
    private int bytes;
    private boolean begun;
    private boolean over;
    private boolean handed;
    private @Nullable Sink sink;

    private record Event(long number, String message, boolean last) {}

    /**
     * An outflow with nothing in it.
     *
     * @param name what its events' ids begin with
     * @param lost run when nobody reads it any more though it is not over
     */
    Outflow(String name, Runnable lost) {
        this.name = name;
        this.lost = lost;
    }

    String name() {
        return name;
    }

    /** Whether somebody reads it now. */
    boolean read() {
        return sink != null;
    }

    boolean over() {
        return over;
    }

    /** Whether a client that is cut off could go on from something it received. */
    boolean resumable() {
        return begun;
    }

    private String eventId(long event) {
        return name + "_" + event;
    }

    /** Lets the client see that its request is taken, and takes a while. */
    void begin() {
        if (!begun && !over) {
            begun = true;
            if (sink != null) {
                sink.begin(eventId(number));
            }
        }
    }

    void send(Message message) {
        send(message, false);
    }

    /** Sends the last message. */
    void finish(Message message) {
        send(message, true);
    }

    private void send(Message message, boolean last) {
        if (over) {
            return;
        }
        over = last;
        String line = message.line();
        Event event = new Event(++number, line, last);
        kept.add(event);
        bytes += line.length();
        while (kept.size() > 1 && (kept.size() > MOST_KEPT || bytes > MOST_BYTES)) {
            bytes -= kept.remove().message().length();
        }
        if (sink != null) {
            handed = last;
            sink.send(eventId(event.number()), line, last);
        }
    }

    /** How many messages it has had. */
    long sent() {
        return number;
    }

    /** Whether the last message was given to somebody who read. */
    boolean handed() {
        return handed;
    }

    /** Ends it without a last message. */
    void end() {
        if (!over) {
            over = true;
            if (sink != null) {
                sink.end();
            }
        }
    }

    /** From now on it is read there, beginning after an event; whoever read it before reads it no more. */
    void attach(Sink to, long after) {
        Sink before = sink;
        sink = to;
        if (before != null) {
            before.end();
        }
        if (begun) {
            to.begin(eventId(after));
        }
        for (Event event : kept) {
            if (event.number() > after) {
                handed = event.last();
                to.send(eventId(event.number()), event.message(), event.last());
            }
        }
        if (over
                && (kept.isEmpty() || !kept.peekLast().last() || kept.peekLast().number() <= after)) {
            to.end();
        }
    }

    /** A reader has gone away. */
    void detach(Sink from) {
        if (from.equals(sink)) {
            sink = null;
            if (!over) {
                lost.run();
            }
        }
    }
}
