package dev.gavel.web.http;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many event streams, long polls or responses to MCP clients are open at the same time, in total and for
 * each identity. Thread-safe.
 */
public final class StreamAndPollQuota {
    private static final int MAX_PER_IDENTITY = 100;

    private final int limit;
    private final int maxPerIdentity;
    private final AtomicInteger inUse = new AtomicInteger();
    private final Map<String, Integer> byIdentity = new ConcurrentHashMap<>();

    /**
     * Creates a quota.
     *
     * @param limit the limit for all identities together
     */
    public StreamAndPollQuota(int limit) {
        this(limit, MAX_PER_IDENTITY);
    }

    /**
     * Creates a quota.
     *
     * @param limit the limit for all identities together
     * @param maxPerIdentity the limit for each identity
     */
    public StreamAndPollQuota(int limit, int maxPerIdentity) {
        this.limit = limit;
        this.maxPerIdentity = maxPerIdentity;
    }

    /** How many permits are in use now. */
    public int inUse() {
        return inUse.get();
    }

    /** Returns a permit for an identity; empty if the identity's limit or the total limit is reached. */
    public Optional<Permit> tryAcquire(String identity) {
        boolean withinIdentityLimit = byIdentity.merge(identity, 1, Integer::sum) <= maxPerIdentity;
        boolean withinTotalLimit = inUse.incrementAndGet() <= limit;
        Permit permit = new Permit(identity);
        if (withinIdentityLimit && withinTotalLimit) {
            return Optional.of(permit);
        }
        permit.release();
        return Optional.empty();
    }

    /** A permit for one connection. Thread-safe. */
    public final class Permit {
        private final String identity;
        private final AtomicBoolean released = new AtomicBoolean();

        private Permit(String identity) {
            this.identity = identity;
        }

        /** Returns the permit; later calls do nothing. */
        public void release() {
            if (released.compareAndSet(false, true)) {
                inUse.decrementAndGet();
                byIdentity.computeIfPresent(identity, (id, count) -> count == 1 ? null : count - 1);
            }
        }
    }
}
