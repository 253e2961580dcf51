package dev.gavel.gateway.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how many envelopes a second one identity may send over all its connections. Thread-safe and lock-free: it
 * stores one number, the time at which the envelopes sent so far would have been due.
 */
public final class SendRateLimiter {
    private static final long SECOND = 1_000_000_000L;

    private final long interval;
    private final AtomicLong due;

    /**
     * Creates a limiter with nothing counted yet.
     *
     * @param now the time in nanoseconds, on any monotonic clock
     */
    public SendRateLimiter(int perSecond, long now) {
        this.interval = SECOND / perSecond;
        this.due = new AtomicLong(now - SECOND);
    }

    /** Counts one envelope. Returns zero if it may pass, otherwise the nanoseconds to wait before trying again. */
    public long tryAcquire(long now) {
        while (true) {
            long last = due.get();
            long start = last - (now - SECOND) < 0 ? now - SECOND : last;
            long next = start + interval;
            if (next - now > 0) {
                return next - now;
            }
            if (due.compareAndSet(last, next)) {
                return 0;
            }
        }
    }
}
