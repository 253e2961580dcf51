package dev.gavel.gateway.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how many envelopes a second one identity may send over all its connections. Thread-safe and lock-free: it
 * stores one number, the time at which the next envelope would be due at a constant rate. An idle identity may send a
 * burst of one second's envelopes.
 */
public final class SendRateLimiter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long intervalNanos;
    private final AtomicLong nextDueNanos;

    /**
     * Creates a limiter with nothing counted yet.
     *
     * @param now the time in nanoseconds, on any monotonic clock
     */
    public SendRateLimiter(int perSecond, long now) {
        this.intervalNanos = NANOS_PER_SECOND / perSecond;
        this.nextDueNanos = new AtomicLong(now - NANOS_PER_SECOND);
    }

    /** Counts one envelope. Returns zero if it may pass, otherwise the nanoseconds to wait before trying again. */
    public long tryAcquire(long now) {
        while (true) {
            long due = nextDueNanos.get();
            long start = due - (now - NANOS_PER_SECOND) < 0 ? now - NANOS_PER_SECOND : due;
            long next = start + intervalNanos;
            if (next - now > 0) {
                return next - now;
            }
            if (nextDueNanos.compareAndSet(due, next)) {
                return 0;
            }
        }
    }
}
