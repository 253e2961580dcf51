package dev.gavel.mcp.bridge;

import java.util.concurrent.TimeUnit;

/**
 * Limits how many notifications per second a bridged server may send into its topic and counts those dropped. A seat
 * has no rate of its own, and a server that chatters must not drown a topic. Thread-safe.
 */
final class NotificationRateLimiter {
    private static final double PER_SECOND = 200;
    private static final double MAX_BURST = 1000;
    private static final long REPORT_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private double tokens = MAX_BURST;
    private long lastRefill = System.nanoTime();
    private long dropped;
    private long lastReported = lastRefill - REPORT_INTERVAL_NANOS;

    /** Whether one more may be sent. */
    synchronized boolean tryAcquire() {
        long now = System.nanoTime();
        tokens = Math.min(MAX_BURST, tokens + (now - lastRefill) * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        lastRefill = now;
        if (tokens < 1) {
            dropped++;
            return false;
        }
        tokens--;
        return true;
    }

    /** How many were not sent since this was told last; 0 where there were none, or it was told a moment ago. */
    synchronized long drainDroppedCount() {
        if (dropped == 0 || lastRefill - lastReported < REPORT_INTERVAL_NANOS) {
            return 0;
        }
        lastReported = lastRefill;
        long count = dropped;
        dropped = 0;
        return count;
    }
}
