package dev.gavel.web.http;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory for one kind of clients' data, by identity and in total. Thread-safe. */
public final class MemoryQuota {
    /**
     * The share of the heap for each kind of data. Buffers can be twice as large as their content. The maximum of direct
     * memory, in which Netty holds unsent and unfinished data, is as large as the heap.
     */
    private static final int SHARE_OF_HEAP = 8;

    private static final int SHARE_OF_TOTAL = 4;
    private static final long RETRY_MILLIS = 1000;

    /** Permits everything. */
    static final Reservation UNLIMITED = new Reservation() {
        @Override
        public Optional<HttpProblem> add(int bytes) {
            return Optional.empty();
        }

        @Override
        public void subtract(int bytes) {
            // Nothing was counted.
        }

        @Override
        public void release() {
            // Nothing was counted.
        }
    };

    private final long maxBytes;
    private final HttpProblem identityProblem;
    private final HttpProblem totalProblem;
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Map<String, Long> byIdentity = new ConcurrentHashMap<>();

    private MemoryQuota(long maxBytes, String identityDetail, String totalDetail) {
        this.maxBytes = maxBytes;
        this.identityProblem = new HttpProblem(429, "rate_limited", identityDetail, RETRY_MILLIS);
        this.totalProblem = new HttpProblem(503, "unavailable", totalDetail, RETRY_MILLIS);
    }

    /** Creates the quota for bodies of requests that have not been answered. */
    static MemoryQuota forRequestBodies(long heapBytes) {
        return new MemoryQuota(
                heapBytes / SHARE_OF_HEAP,
                "the bodies of your unanswered requests are too large in total; wait for answers, then try again",
                "the bodies of all unanswered requests are too large in total; try again later");
    }

    /** Creates the quota for responses that clients have not read. */
    static MemoryQuota forResponses(long heapBytes) {
        return new MemoryQuota(
                heapBytes / SHARE_OF_HEAP,
                "the responses that you have not read are too large in total; read them, then try again",
                "the responses that clients have not read are too large in total; try again later");
    }

    /** Creates the quota for unfinished WebSocket messages. */
    static MemoryQuota forUnfinishedMessages(long heapBytes) {
        return new MemoryQuota(
                heapBytes / SHARE_OF_HEAP,
                "your unfinished WebSocket messages are too large in total",
                "the unfinished WebSocket messages of all clients are too large in total");
    }

    /** Creates the quota for calls of the SEP tools that have not been answered. */
    public static MemoryQuota forSepCalls(long heapBytes) {
        return new MemoryQuota(
                heapBytes / SHARE_OF_HEAP,
                "your unanswered calls are too large in total; wait for answers, then try again",
                "the unanswered calls of all members are too large in total; try again later");
    }

    /** Counts the bytes of one body, call, response or connection. Not thread-safe: one thread uses it at a time. */
    public interface Reservation {
        /**
         * Counts more bytes, or returns why the server cannot hold them now. The bytes count in both cases, until the
         * caller has discarded them.
         */
        Optional<HttpProblem> add(int bytes);

        /** Releases some of the counted bytes. */
        void subtract(int bytes);

        /** Releases all counted bytes; nothing is counted afterwards. */
        void release();
    }

    /** Starts to count the bytes of an identity's body, call, response or connection. */
    public Reservation reserve(String identity) {
        return new IdentityReservation(identity);
    }

    /** How often bytes were refused. */
    long refusedCount() {
        return refused.get();
    }

    /** How many bytes are counted now. */
    long usedBytes() {
        return total.get();
    }

    private Optional<HttpProblem> refuse(HttpProblem problem) {
        refused.incrementAndGet();
        return Optional.of(problem);
    }

    /** Counts bytes of an identity. */
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
            // With a small heap, a single body or response can be larger than a share, or even larger than the total.
            boolean tooMuchInTotal = total.addAndGet(bytes) > Math.max(maxBytes, reserved);
            if (ofIdentity > Math.max(maxBytes / SHARE_OF_TOTAL, reserved)) {
                return refuse(identityProblem);
            }
            return tooMuchInTotal ? refuse(totalProblem) : Optional.empty();
        }

        @Override
        public void subtract(int bytes) {
            if (!released && bytes > 0) {
                reserved -= bytes;
                uncount(bytes);
            }
        }

        @Override
        public void release() {
            if (!released && reserved > 0) {
                uncount(reserved);
            }
            released = true;
        }

        private void uncount(long bytes) {
            total.addAndGet(-bytes);
            byIdentity.computeIfPresent(identity, (id, counted) -> counted == bytes ? null : counted - bytes);
        }
    }
}
