package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a server has been asked and has not answered, by the id that it knows them by; bounded. Each is taken
 * out once, and whoever takes it out answers it. Thread-safe.
 */
final class Calls {
    static final int MOST = 1000;
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private final Map<String, Running> running = new LinkedHashMap<>();
    private long bytes;

    /** One of them. Its own lock orders what is said of it, so that nobody else waits for that. */
    private static final class Running {
        final Asked asked;
        private boolean over;
        private volatile long heard = System.nanoTime();

        Running(Asked asked) {
            this.asked = asked;
        }

        synchronized void end() {
            over = true;
        }

        synchronized void unlessOver(Consumer<Asked> then) {
            if (!over) {
                then.accept(asked);
            }
        }
    }

    /** Adds one; false where there are too many. */
    synchronized boolean add(String id, Asked asked) {
        if (running.size() >= MOST || (bytes > 0 && bytes + asked.bytes() > MOST_BYTES)) {
            return false;
        }
        running.put(id, new Running(asked));
        bytes += asked.bytes();
        return true;
    }

    /** Takes one out; null where somebody else did. */
    @Nullable
    Asked take(String id) {
        Running taken;
        synchronized (this) {
            taken = running.remove(id);
            bytes -= taken == null ? 0 : taken.asked.bytes();
        }
        if (taken == null) {
            return null;
        }
        taken.end();
        return taken.asked;
    }

    /** Gives one another id, because it is asked again; false where somebody took it out. */
    synchronized boolean move(String id, String next) {
        Running found = running.remove(id);
        if (found == null) {
            return false;
        }
        found.heard = System.nanoTime();
        running.put(next, found);
        return true;
    }

    synchronized boolean has(String id) {
        return running.containsKey(id);
    }

    /** Does something with one while it cannot be answered; the server has been heard of it. */
    void with(String id, Consumer<Asked> then) {
        Running found;
        synchronized (this) {
            found = running.get(id);
        }
        if (found != null) {
            found.heard = System.nanoTime();
            found.unlessOver(then);
        }
    }

    /** The ids of those of which nothing was heard for so long. */
    synchronized List<String> silentFor(Duration time) {
        long now = System.nanoTime();
        return running.entrySet().stream()
                .filter(each -> now - each.getValue().heard >= time.toNanos())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The id of the first of these. */
    synchronized Optional<String> find(Predicate<Asked> such) {
        return running.entrySet().stream()
                .filter(entry -> such.test(entry.getValue().asked))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
