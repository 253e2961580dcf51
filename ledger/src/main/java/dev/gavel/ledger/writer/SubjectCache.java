package dev.gavel.ledger.writer;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches the events and summaries of unsettled subjects for the ledger writer, evicting the least recently used. It
 * only ever holds what is durable, and forgets a stream somebody else has written to or pruned. The longest unused go
 * first. Not thread-safe.
 */
final class SubjectCache {
    private final long capacity;
    private final Map<SubjectSnapshot.Key, SubjectSnapshot> subjects = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, StreamHead> heads = new HashMap<>();
    private long weight;

    SubjectCache(long capacity) {
        this.capacity = capacity;
    }

    /** Learns what is durable of a stream: if that is not what was left there, what is at hand of it may be old. */
    void observe(String stream, StreamHead streamHead) {
        StreamHead before = heads.put(stream, streamHead);
        if (before != null && !before.equals(streamHead)) {
            evictStream(stream);
        }
    }

    /** Learns that we ourselves wrote to a stream; what we changed is about to be put. */
    void advance(String stream, StreamHead streamHead) {
        heads.put(stream, streamHead);
    }

    @Nullable
    SubjectSnapshot get(SubjectSnapshot.Key key) {
        return subjects.get(key);
    }

    /** Keeps a subject at hand; one that is settled is let go, so that it takes no room and is soon collected. */
    void put(SubjectSnapshot.Key key, SubjectSnapshot subjectSnapshot) {
        SubjectSnapshot before =
                subjectSnapshot.isSettled() ? subjects.remove(key) : subjects.put(key, subjectSnapshot);
        weight += (subjectSnapshot.isSettled() ? 0 : subjectSnapshot.weight()) - (before == null ? 0 : before.weight());
        Iterator<SubjectSnapshot> eldest = subjects.values().iterator();
        while (weight > capacity && eldest.hasNext()) {
            weight -= eldest.next().weight();
            eldest.remove();
        }
    }

    private void evictStream(String stream) {
        Iterator<Map.Entry<SubjectSnapshot.Key, SubjectSnapshot>> each =
                subjects.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<SubjectSnapshot.Key, SubjectSnapshot> entry = each.next();
            if (entry.getKey().stream().equals(stream)) {
                weight -= entry.getValue().weight();
                each.remove();
            }
        }
    }
}
