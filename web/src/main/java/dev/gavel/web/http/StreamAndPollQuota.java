package dev.gavel.web.http;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how many event streams and long polls are open at the same time, in total and for each identity. Thread-safe.
 */
public final class StreamAndPollQuota {
    private static final int MAX_PER_IDENTITY = 100;

    private final int limit;
    private final AtomicInteger inUse = new AtomicInteger();
    private final Map<String, Integer> byIdentity = new ConcurrentHashMap<>();

    /**
     * Creates a quota.
     *
     * @param limit the limit for all identities together
     */
    public StreamAndPollQuota(int limit) {
        this.limit = limit;
    }

    /** How many permits are in use now. */
    public int inUse() {
        return inUse.get();
    }

    /** Returns a permit for an identity; empty if the identity's limit or the total limit is reached. */
    public Optional<Permit> tryAcquire(String identity) {
        boolean withinIdentityLimit = byIdentity.merge(identity, 1, Integer::sum) <= MAX_PER_IDENTITY;
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
