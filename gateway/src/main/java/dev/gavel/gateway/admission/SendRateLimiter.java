package dev.gavel.gateway.admission;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how many envelopes a second one identity may send over all its connections. Thread-safe and without a lock: it
 * keeps one number, the time at which what was sent so far would have been due.
 */
public final class SendRateLimiter {
    private static final long SECOND = 1_000_000_000L;

    private final long interval;
    private final AtomicLong due;

    /**
     * A limit that nothing has been counted against yet.
     *
     * @param now the time in nanoseconds, on any clock that only goes forward
     */
    public SendRateLimiter(int perSecond, long now) {
        this.interval = SECOND / perSecond;
        this.due = new AtomicLong(now - SECOND);
    }

    /** Counts one envelope: zero where it may pass, else how many nanoseconds to wait before trying again. */
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
