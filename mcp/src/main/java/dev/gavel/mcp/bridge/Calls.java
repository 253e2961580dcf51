package dev.gavel.mcp.bridge;

import java.util.ArrayList;
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

    private final Map<String, Asked> running = new LinkedHashMap<>();
    private long bytes;

    /** Adds one; false where there are too many. */
    synchronized boolean add(String id, Asked asked) {
        if (running.size() >= MOST || (bytes > 0 && bytes + asked.bytes() > MOST_BYTES)) {
            return false;
        }
        running.put(id, asked);
        bytes += asked.bytes();
        return true;
    }

    /** Takes one out; null where somebody else did. */
    synchronized @Nullable Asked take(String id) {
        Asked asked = running.remove(id);
        bytes -= asked == null ? 0 : asked.bytes();
        return asked;
    }

    /** Does something with one while nobody can take it out. */
    synchronized void with(String id, Consumer<Asked> then) {
        Asked asked = running.get(id);
        if (asked != null) {
            then.accept(asked);
        }
    }

    /** The id of the first of these. */
    synchronized Optional<String> find(Predicate<Asked> such) {
        return running.entrySet().stream()
                .filter(entry -> such.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Takes all out. */
    synchronized List<Asked> takeAll() {
        List<Asked> all = new ArrayList<>(running.values());
        running.clear();
        bytes = 0;
        return all;
    }
}
