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
 * A bounded table of the requests that a bridged server has received and not yet answered, by request id. Each request
 * is removed once, and the caller that removes it responds to it. Thread-safe.
 */
final class InFlightRequests {
    static final int MAX_REQUESTS = 1000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final Map<String, InFlightRequest> requests = new LinkedHashMap<>();
    private long bytes;

    /**
     * One request. It has its own lock, which orders the progress and the response of this request without blocking
     * others.
     */
    private static final class InFlightRequest {
        final TopicRequest request;
        private boolean closed;
        private volatile long lastActivity = System.nanoTime();

        InFlightRequest(TopicRequest topicRequest) {
            this.request = topicRequest;
        }

        synchronized void close() {
            closed = true;
        }

        synchronized void ifOpen(Consumer<TopicRequest> action) {
            if (!closed) {
                action.accept(request);
            }
        }
    }

    /** Adds a request. Returns false if the table is full. */
    synchronized boolean add(String id, TopicRequest topicRequest) {
        if (requests.size() >= MAX_REQUESTS || (bytes > 0 && bytes + topicRequest.envelopeLength() > MAX_BYTES)) {
            return false;
        }
        requests.put(id, new InFlightRequest(topicRequest));
        bytes += topicRequest.envelopeLength();
        return true;
    }

    /** Removes a request. Returns null if another caller has removed it. */
    @Nullable
    TopicRequest remove(String id) {
        InFlightRequest entry;
        synchronized (this) {
            entry = requests.remove(id);
            bytes -= entry == null ? 0 : entry.request.envelopeLength();
        }
        if (entry == null) {
            return null;
        }
        entry.close();
        return entry.request;
    }

    /**
     * Moves a request to another id, because it is sent to the server again. Returns false if a caller has removed it.
     */
    synchronized boolean rekey(String id, String newId) {
        InFlightRequest entry = requests.remove(id);
        if (entry == null) {
            return false;
        }
        entry.lastActivity = System.nanoTime();
        requests.put(newId, entry);
        return true;
    }

    /** Runs an action on a request while no caller can respond to it, and records the server's activity. */
    void ifOpen(String id, Consumer<TopicRequest> action) {
        InFlightRequest entry;
        synchronized (this) {
            entry = requests.get(id);
        }
        if (entry != null) {
            entry.lastActivity = System.nanoTime();
            entry.ifOpen(action);
        }
    }

    /** Returns the ids of the requests for which the server has sent nothing for at least this time. */
    synchronized List<String> idleFor(Duration time) {
        long now = System.nanoTime();
        return requests.entrySet().stream()
                .filter(each -> now - each.getValue().lastActivity >= time.toNanos())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the id of the first request that matches. */
    synchronized Optional<String> find(Predicate<TopicRequest> predicate) {
        return requests.entrySet().stream()
                .filter(entry -> predicate.test(entry.getValue().request))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
