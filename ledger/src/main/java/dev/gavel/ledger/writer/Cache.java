package dev.gavel.ledger.writer;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Subjects kept at hand that are not settled, so that deciding about one that is being dealt with reads nothing. It only
 * ever holds what is durable, and forgets a stream somebody else has written to or pruned. The longest unused go first. Not
 * thread-safe.
 */
final class Cache {
    private final long capacity;
    private final Map<Known.Key, Known> subjects = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, End> ends = new HashMap<>();
    private long weight;

    Cache(long capacity) {
        this.capacity = capacity;
    }

    /** Learns what is durable of a stream: if that is not what was left there, what is at hand of it may be old. */
    void see(String stream, End end) {
        End before = ends.put(stream, end);
        if (before != null && !before.equals(end)) {
            forget(stream);
        }
    }

    /** Learns that we ourselves wrote to a stream; what we changed is about to be put. */
    void grew(String stream, End end) {
        ends.put(stream, end);
    }

    @Nullable
    Known get(Known.Key key) {
        return subjects.get(key);
    }

    /** Keeps a subject at hand; one that is settled is let go, so that it takes no room and is soon collected. */
    void put(Known.Key key, Known known) {
        Known before = known.settled() ? subjects.remove(key) : subjects.put(key, known);
        weight += (known.settled() ? 0 : known.weight()) - (before == null ? 0 : before.weight());
        Iterator<Known> eldest = subjects.values().iterator();
        while (weight > capacity && eldest.hasNext()) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    private void forget(String stream) {
        Iterator<Map.Entry<Known.Key, Known>> each = subjects.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Known.Key, Known> entry = each.next();
            if (entry.getKey().stream().equals(stream)) {
                weight -= entry.getValue().weight();
                each.remove();
            }
        }
    }
}
