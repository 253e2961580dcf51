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
 * A bounded table of the requests that the bridge has ended after a bridged server had received them, by request id. The
 * server may still run them, ask for input, or answer them. Most servers do not, so the oldest ones are evicted.
 * Thread-safe.
 */
final class CancelledRequests {
    private static final int MAX_REQUESTS = 1000;
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    private final Map<String, CancelledRequest> requests = new LinkedHashMap<>();
    private long bytes;

    /**
     * When the latest evicted request of each member was cancelled, as {@link System#nanoTime}: a member that cancels
     * many requests must not hide those of another one.
     */
    private final Map<String, Long> evictionTimes = new HashMap<>();

    /**
     * A request that was cancelled.
     *
     * @param time when it was cancelled, as {@link System#nanoTime}
     * @param forwardable the request, if a late response of the server is forwarded to its requester
     */
    private record CancelledRequest(String member, long time, Optional<TopicRequest> forwardable) {
        int length() {
            return forwardable.map(TopicRequest::envelopeLength).orElse(0);
        }
    }

    /**
     * Adds a request whose late response is forwarded to the requester. Returns the ids of the requests that were evicted
     * for it.
     */
    List<String> add(String id, TopicRequest topicRequest) {
        return add(id, topicRequest.from(), Optional.of(topicRequest));
    }

    /**
     * Adds a request of a member that has got its last response. Returns the ids of the requests that were evicted for
     * it.
     */
    List<String> addAnswered(String id, String member) {
        return add(id, member, Optional.empty());
    }

    private synchronized List<String> add(String id, String member, Optional<TopicRequest> forwardable) {
        remove(id);
        CancelledRequest added = new CancelledRequest(member, System.nanoTime(), forwardable);
        requests.put(id, added);
        bytes += added.length();
        List<String> evicted = new ArrayList<>();
        while (requests.size() > MAX_REQUESTS || (requests.size() > 1 && bytes > MAX_BYTES)) {
            String oldest = requests.keySet().iterator().next();
            evict(oldest);
            evicted.add(oldest);
        }
        return evicted;
    }

    private void evict(String id) {
        CancelledRequest removed = requests.remove(id);
        if (removed != null) {
            bytes -= removed.length();
            evictionTimes.merge(removed.member(), removed.time(), (one, other) -> one - other > 0 ? one : other);
        }
    }

    /** Removes a request that the server does not run any more. Returns it if its late response is forwarded. */
    synchronized Optional<TopicRequest> remove(String id) {
        CancelledRequest removed = requests.remove(id);
        if (removed == null) {
            return Optional.empty();
        }
        bytes -= removed.length();
        return removed.forwardable();
    }

    /** Whether a request of another member than this one was cancelled at most this long ago. */
    synchronized boolean hasRecentOfOthers(String member, Duration age) {
        long now = System.nanoTime();
        evictionTimes.values().removeIf(time -> now - time > age.toNanos());
        return evictionTimes.keySet().stream().anyMatch(other -> !other.equals(member))
                || requests.values().stream()
                        .anyMatch(each -> !each.member().equals(member) && now - each.time() <= age.toNanos());
    }

    /**
     * Drops the matching requests, so that no late response to them is forwarded, and returns their ids. The server may
     * still run them.
     */
    synchronized List<String> evictIf(Predicate<TopicRequest> predicate) {
        List<String> ids = requests.entrySet().stream()
                .filter(entry ->
                        entry.getValue().forwardable().filter(predicate).isPresent())
                .map(Map.Entry::getKey)
                .toList();
        ids.forEach(this::evict);
        return ids;
    }
}
