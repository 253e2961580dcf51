package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.HashMap;
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
 *
 * <p>Direct requests and approved calls have separate limits, so that direct requests never use up an approval. A member
 * can have at most as many direct requests as there are free places. So one member cannot fill the table: another one
 * always finds a place.
 */
final class InFlightRequests {
    static final int MAX_REQUESTS = 1000;
    static final long MAX_BYTES = 64L * 1024 * 1024;

    private final Map<String, InFlightRequest> requests = new LinkedHashMap<>();
    private Usage direct = Usage.NONE;
    private Usage approved = Usage.NONE;
    private final Map<String, Usage> directByMember = new HashMap<>();

    /** The number and the length of requests. */
    private record Usage(int count, long bytes) {
        static final Usage NONE = new Usage(0, 0);

        Usage plus(TopicRequest request) {
            return new Usage(count + 1, bytes + request.envelopeLength());
        }

        Usage minus(TopicRequest request) {
            return new Usage(count - 1, bytes - request.envelopeLength());
        }

        /** Whether the requests fit, also if there is only one, which is too long. */
        boolean fits(int maxCount, long maxBytes) {
            return count <= maxCount && (count == 1 || bytes <= maxBytes);
        }
    }

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

    /** Adds a request. Returns false if it has no place. */
    synchronized boolean add(String id, TopicRequest topicRequest) {
        boolean added = topicRequest.proposal().isPresent() ? addApproved(topicRequest) : addDirect(topicRequest);
        if (added) {
            requests.put(id, new InFlightRequest(topicRequest));
        }
        return added;
    }

    /** Adds a request that the server is running already, also if there is no place. */
    synchronized void addRunning(String id, TopicRequest topicRequest) {
        direct = direct.plus(topicRequest);
        directByMember.merge(topicRequest.from(), Usage.NONE.plus(topicRequest), (own, _) -> own.plus(topicRequest));
        requests.put(id, new InFlightRequest(topicRequest));
    }

    private boolean addApproved(TopicRequest topicRequest) {
        Usage after = approved.plus(topicRequest);
        if (!after.fits(MAX_REQUESTS, MAX_BYTES)) {
            return false;
        }
        approved = after;
        return true;
    }

    /** Returns a request; empty if a caller has removed it. */
    synchronized Optional<TopicRequest> get(String id) {
        return Optional.ofNullable(requests.get(id)).map(entry -> entry.request);
    }

    private boolean addDirect(TopicRequest topicRequest) {
        Usage own = directByMember.getOrDefault(topicRequest.from(), Usage.NONE).plus(topicRequest);
        Usage after = direct.plus(topicRequest);
        boolean fits = after.fits(MAX_REQUESTS, MAX_BYTES)
                // The first request of a member needs only a place.
                && (own.count() == 1 || own.fits(MAX_REQUESTS - direct.count(), MAX_BYTES - direct.bytes()));
        if (fits) {
            direct = after;
            directByMember.put(topicRequest.from(), own);
        }
        return fits;
    }

    private void release(TopicRequest topicRequest) {
        if (topicRequest.proposal().isPresent()) {
            approved = approved.minus(topicRequest);
        } else {
            direct = direct.minus(topicRequest);
            directByMember.computeIfPresent(
                    topicRequest.from(), (_, own) -> own.count() == 1 ? null : own.minus(topicRequest));
        }
    }

    /** Removes a request. Returns null if another caller has removed it. */
    @Nullable
    TopicRequest remove(String id) {
        InFlightRequest entry;
        synchronized (this) {
            entry = requests.remove(id);
            if (entry != null) {
                release(entry.request);
            }
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

    /** Returns the ids of all requests. */
    synchronized List<String> ids() {
        return List.copyOf(requests.keySet());
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
