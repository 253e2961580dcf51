package dev.gavel.mcp.bridge;

import java.util.concurrent.TimeUnit;

/**
 * How many notifications a server may send into a topic: so many a second, and some more after a quiet while. A seat has no
 * rate of its own, and a server that chatters must not drown a topic. Thread-safe.
 */
final class Allowance {
    private static final double PER_SECOND = 200;
    private static final double MOST = 1000;
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private double left = MOST;
    private long last = System.nanoTime();
    private long dropped;
    private long told = last - QUIET_NANOS;

    /** Whether one more may be sent. */
    synchronized boolean take() {
        long now = System.nanoTime();
        left = Math.min(MOST, left + (now - last) * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        last = now;
        if (left < 1) {
            dropped++;
            return false;
        }
        left--;
        return true;
    }

    /** How many were not sent since this was told last; 0 where there were none, or it was told a moment ago. */
    synchronized long toTell() {
        if (dropped == 0 || last - told < QUIET_NANOS) {
            return 0;
        }
        told = last;
        long count = dropped;
        dropped = 0;
        return count;
    }
}
