package dev.gavel.mcp.facade.legacy;

import dev.gavel.mcp.facade.call.Reply;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.rpc.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Messages to a client that belong together: those of one request, or those of none. A client that was cut off takes it up
 * again after the last message it received. Confined to the topic's loop.
 */
final class Outflow implements Reply {
    /** What is kept for a client that was cut off, besides the last message, an answer. */
    private static final int MOST_KEPT = 64;

    private static final int MOST_CHARACTERS = 64 * 1024;

    private final String name;
    private final Runnable lost;
    private final Deque<Event> kept = new ArrayDeque<>();
    private long number;
    private int characters;
    private boolean begun;
    private boolean over;
    private boolean handed;
    private int losses;
    private @Nullable Sink sink;

    private record Event(long number, String line, boolean last, boolean update) {}

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
    @Override
    public boolean read() {
        return sink != null;
    }

    /** Who reads it now; null where nobody does. */
    @Nullable
    Sink reader() {
        return sink;
    }

    @Override
    public boolean over() {
        return over;
    }

    /** Whether a client that is cut off could go on from something it received. */
    boolean resumable() {
        return begun;
    }

    /** How many messages it has had. */
    long sent() {
        return number;
    }

    /** Whether the last message was given to somebody who read to the end. */
    boolean handed() {
        return handed;
    }

    /** How often somebody who read it went away. */
    int losses() {
        return losses;
    }

    private String eventId(long event) {
        return name + "_" + event;
    }

    /** Lets the client see that its request is taken, and takes a while. */
    @Override
    public void begin() {
        if (!begun && !over) {
            begun = true;
            if (sink != null) {
                sink.begin(eventId(number));
            }
        }
    }

    /** Sends a message that is one line already. */
    @Override
    public void send(String line) {
        begin();
        send(line, false, false);
    }

    /** Of how a call stands only the newest is kept: it may wait for hours, and be told every few seconds. */
    @Override
    public void update(Message message) {
        begin();
        send(message.line(), false, true);
    }

    /** Sends the last message. */
    @Override
    public void finish(Message message) {
        send(message.line(), true, false);
    }

    private void send(String line, boolean last, boolean update) {
        if (over) {
            return;
        }
        over = last;
        number++;
        if (begun) {
            keep(new Event(number, line, last, update));
        }
        if (sink != null) {
            handed = last;
            sink.send(eventId(number), line, last);
        }
    }

    private void keep(Event event) {
        Event before = kept.peekLast();
        if (event.update() && before != null && before.update()) {
            characters -= kept.removeLast().line().length();
        }
        kept.add(event);
        characters += event.last() ? 0 : event.line().length();
        while (!kept.isEmpty()
                && !kept.getFirst().last()
                && (kept.size() > MOST_KEPT || characters > MOST_CHARACTERS)) {
            characters -= kept.remove().line().length();
        }
    }

    /** Ends it without a last message. */
    @Override
    public void end() {
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
        boolean ends = over;
        for (Event event : kept) {
            if (event.number() > after) {
                handed = event.last();
                ends &= !event.last();
                to.send(eventId(event.number()), event.line(), event.last());
            }
        }
        if (ends) {
            to.end();
        }
    }

    /** A reader has gone away, perhaps before it had read all. */
    void detach(Sink from) {
        if (from.equals(sink)) {
            sink = null;
            handed = false;
            losses++;
            if (!over) {
                lost.run();
            }
        }
    }
}
