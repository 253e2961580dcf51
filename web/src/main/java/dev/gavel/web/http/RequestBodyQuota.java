package dev.gavel.web.http;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory for bodies of requests that have not been answered, by identity and in total. Thread-safe. */
final class RequestBodyQuota {
    /** A reader's buffer can be twice as large as its content, so bodies use at most a quarter of the heap. */
    private static final int SHARE_OF_HEAP = 8;

    private static final int SHARE_OF_TOTAL = 4;

    private static final HttpProblem TOO_MUCH_DATA = new HttpProblem(
            429,
            "rate_limited",
            "the bodies of your unanswered requests are too large in total; wait for answers, then try again",
            1000);

    private static final HttpProblem NO_MEMORY = new HttpProblem(
            503, "unavailable", "the bodies of all unanswered requests are too large in total; try again later", 1000);

    /** Permits every body. */
    static final Reservation UNLIMITED = new Reservation() {
        @Override
        public Optional<HttpProblem> add(int bytes) {
            return Optional.empty();
        }

        @Override
        public void release() {
            // Nothing was counted.
        }
    };

    private final long maxBytes;
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Map<String, Long> byIdentity = new ConcurrentHashMap<>();

    /** Creates the quota of a process with this heap size. */
    RequestBodyQuota(long heapBytes) {
        this.maxBytes = heapBytes / SHARE_OF_HEAP;
    }

    /** Counts the bytes of one body. */
    interface Reservation {
        /** Counts more bytes, or returns why the server cannot hold them now. */
        Optional<HttpProblem> add(int bytes);

        /** Releases all counted bytes; later calls do nothing. */
        void release();
    }

    /** Starts to count the bytes of a body that an identity sends. */
    Reservation reserve(String identity) {
        return new IdentityReservation(identity);
    }

    /** How many bodies were refused. */
    long refusedCount() {
        return refused.get();
    }

    private Optional<HttpProblem> refuse(HttpProblem problem) {
        refused.incrementAndGet();
        return Optional.of(problem);
    }

    /** Counts the bytes of an identity's body. Confined to the event loop of the connection. */
    private final class IdentityReservation implements Reservation {
        private final String identity;
        private long reserved;
        private boolean released;

        IdentityReservation(String identity) {
            this.identity = identity;
        }

        @Override
        public Optional<HttpProblem> add(int bytes) {
            if (released || bytes == 0) {
                return Optional.empty();
            }
            reserved += bytes;
            long ofIdentity = byIdentity.merge(identity, (long) bytes, Long::sum);
            if (total.addAndGet(bytes) > maxBytes) {
                return refuse(NO_MEMORY);
            }
            // With a small heap, the only body of an identity can be larger than its share.
            return ofIdentity > Math.max(maxBytes / SHARE_OF_TOTAL, reserved)
                    ? refuse(TOO_MUCH_DATA)
                    : Optional.empty();
        }

        @Override
        public void release() {
            if (!released && reserved > 0) {
                total.addAndGet(-reserved);
                byIdentity.computeIfPresent(identity, (id, bytes) -> bytes == reserved ? null : bytes - reserved);
            }
            released = true;
        }
    }
}
