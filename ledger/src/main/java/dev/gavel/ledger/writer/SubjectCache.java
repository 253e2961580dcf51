package dev.gavel.ledger.writer;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches the events and summaries of unfinished subjects, such as open proposals, for the ledger writer. It holds
 * durable state only, and evicts a stream that another process has written to or pruned. Not thread-safe.
 */
final class SubjectCache {
    private final long capacity;
    private final Map<SubjectCacheEntry.Key, SubjectCacheEntry> subjects = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, StreamHead> heads = new HashMap<>();
    private long weight;

    SubjectCache(long capacity) {
        this.capacity = capacity;
    }

    /**
     * Records the durable head of a stream. If it differs from the head that this writer left, the cached subjects of
     * the stream may be stale and are evicted.
     */
    void updateDurableHead(String stream, StreamHead streamHead) {
        StreamHead before = heads.put(stream, streamHead);
        if (before != null && !before.equals(streamHead)) {
            evictStream(stream);
        }
    }

    /** Records the head of a stream that this writer has just written; the changed subjects are put next. */
    void setWrittenHead(String stream, StreamHead streamHead) {
        heads.put(stream, streamHead);
    }

    @Nullable
    SubjectCacheEntry get(SubjectCacheEntry.Key key) {
        return subjects.get(key);
    }

    /**
     * Caches a subject. A settled subject is removed instead, so that it uses no capacity and is garbage-collected
     * soon.
     */
    void put(SubjectCacheEntry.Key key, SubjectCacheEntry subjectCacheEntry) {
        SubjectCacheEntry before =
                subjectCacheEntry.hasEnded() ? subjects.remove(key) : subjects.put(key, subjectCacheEntry);
        weight += (subjectCacheEntry.hasEnded() ? 0 : subjectCacheEntry.memoryBytes())
                - (before == null ? 0 : before.memoryBytes());
        Iterator<SubjectCacheEntry> eldest = subjects.values().iterator();
        while (weight > capacity && eldest.hasNext()) {
            weight -= eldest.next().memoryBytes();
            eldest.remove();
        }
    }

    private void evictStream(String stream) {
        Iterator<Map.Entry<SubjectCacheEntry.Key, SubjectCacheEntry>> each =
                subjects.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<SubjectCacheEntry.Key, SubjectCacheEntry> entry = each.next();
            if (entry.getKey().stream().equals(stream)) {
                weight -= entry.getValue().memoryBytes();
                each.remove();
            }
        }
    }
}
