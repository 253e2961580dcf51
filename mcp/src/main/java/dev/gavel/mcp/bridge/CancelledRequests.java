package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A bounded table of the requests that were cancelled after a bridged server had received them, by request id. The
 * server may still answer them. Most servers do not, so the oldest ones are evicted. Thread-safe.
 */
final class CancelledRequests {
    private static final int MAX_REQUESTS = 1000;
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    private final Map<String, TopicRequest> requests = new LinkedHashMap<>();
    private long bytes;

    /** When each request was cancelled, as {@link System#nanoTime}. */
    private final Map<String, Long> times = new HashMap<>();

    /** Adds a request. Returns the ids of the requests that were evicted for it. */
    synchronized List<String> add(String id, TopicRequest topicRequest) {
        requests.put(id, topicRequest);
        times.put(id, System.nanoTime());
        bytes += topicRequest.envelopeLength();
        List<String> evicted = new ArrayList<>();
        while (requests.size() > MAX_REQUESTS || (requests.size() > 1 && bytes > MAX_BYTES)) {
            String oldest = requests.keySet().iterator().next();
            remove(oldest);
            evicted.add(oldest);
        }
        return evicted;
    }

    /** Removes a request; empty if it is not in the table. */
    synchronized Optional<TopicRequest> remove(String id) {
        TopicRequest removed = requests.remove(id);
        times.remove(id);
        bytes -= removed == null ? 0 : removed.envelopeLength();
        return Optional.ofNullable(removed);
    }

    /** Whether a request of another member than this one was cancelled at most this long ago. */
    synchronized boolean hasRecentOfOthers(String member, Duration age) {
        long now = System.nanoTime();
        return requests.entrySet().stream()
                .anyMatch(entry -> !entry.getValue().from().equals(member)
                        && now - times.getOrDefault(entry.getKey(), now) <= age.toNanos());
    }

    /** Removes the requests that match and returns their ids. */
    synchronized List<String> removeIf(Predicate<TopicRequest> predicate) {
        List<String> ids = requests.entrySet().stream()
                .filter(entry -> predicate.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        ids.forEach(this::remove);
        return ids;
    }
}
