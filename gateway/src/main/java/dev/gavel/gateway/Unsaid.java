package dev.gavel.gateway;

import dev.gavel.gateway.docket.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whose envelopes about proposals were told though nobody had said who wrote them. What the same sender sent before them
 * may still be on its way over the bus; it comes too late then, since everybody's order is to be kept. Confined to the
 * topic's loop.
 */
final class Unsaid {
    private static final int MOST = 10_000;

    /** By then a process has spoken up, or its connection to the bus was ended, and nothing comes of it any more. */
    private static final long NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, Told> told = new HashMap<>();

    private record Told(long seq, long nanos) {}

    /** Takes note of what is being told beyond what was said. */
    void note(List<Message> messages, long saidUpTo) {
        for (Message message : messages) {
            if (message instanceof Message.Envelope(long seq, var route) && seq > saidUpTo && told.size() < MOST) {
                told.put(route.sent().from(), new Told(seq, System.nanoTime()));
            }
        }
    }

    /** Whoever wrote these has said so: what they sent before has come. */
    void said(long first, long last) {
        if (!told.isEmpty()) {
            told.values().removeIf(each -> each.seq() >= first && each.seq() <= last);
        }
    }

    boolean isLate(String from, long after) {
        Told last = told.get(from);
        if (last == null) {
            return false;
        }
        if (System.nanoTime() - last.nanos() > NANOS) {
            told.remove(from);
            return false;
        }
        return after < last.seq();
    }
}
