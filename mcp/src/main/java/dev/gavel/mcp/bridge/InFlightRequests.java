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
 * A bounded table of the requests that a bridged server has received and not yet answered, by request id. Each is taken
 * out once, and whoever takes it out answers it. Thread-safe.
 */
final class InFlightRequests {
    static final int MAX_REQUESTS = 1000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final Map<String, InFlightRequest> requests = new LinkedHashMap<>();
    private long bytes;

    /** One of them. Its own lock orders what is said of it, so that nobody else waits for that. */
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

        synchronized void ifOpen(Consumer<TopicRequest> then) {
            if (!closed) {
                then.accept(request);
            }
        }
    }

    /** Adds one; false where there are too many. */
    synchronized boolean add(String id, TopicRequest topicRequest) {
        if (requests.size() >= MAX_REQUESTS || (bytes > 0 && bytes + topicRequest.envelopeLength() > MAX_BYTES)) {
            return false;
        }
        requests.put(id, new InFlightRequest(topicRequest));
        bytes += topicRequest.envelopeLength();
        return true;
    }

    /** Takes one out; null where somebody else did. */
    @Nullable
    TopicRequest remove(String id) {
        InFlightRequest taken;
        synchronized (this) {
            taken = requests.remove(id);
            bytes -= taken == null ? 0 : taken.request.envelopeLength();
        }
        if (taken == null) {
            return null;
        }
        taken.close();
        return taken.request;
    }

    /** Gives one another id, because it is asked again; false where somebody took it out. */
    synchronized boolean rekey(String id, String next) {
        InFlightRequest found = requests.remove(id);
        if (found == null) {
            return false;
        }
        found.lastActivity = System.nanoTime();
        requests.put(next, found);
        return true;
    }

    synchronized boolean contains(String id) {
        return requests.containsKey(id);
    }

    /** Does something with one while it cannot be answered; the server has been heard of it. */
    void ifOpen(String id, Consumer<TopicRequest> then) {
        InFlightRequest found;
        synchronized (this) {
            found = requests.get(id);
        }
        if (found != null) {
            found.lastActivity = System.nanoTime();
            found.ifOpen(then);
        }
    }

    /** The ids of those of which nothing was heard for so long. */
    synchronized List<String> idleFor(Duration time) {
        long now = System.nanoTime();
        return requests.entrySet().stream()
                .filter(each -> now - each.getValue().lastActivity >= time.toNanos())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The id of the first of these. */
    synchronized Optional<String> find(Predicate<TopicRequest> such) {
        return requests.entrySet().stream()
                .filter(entry -> such.test(entry.getValue().request))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
