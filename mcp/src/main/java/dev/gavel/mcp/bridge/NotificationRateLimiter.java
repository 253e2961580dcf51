package dev.gavel.mcp.bridge;

import java.util.concurrent.TimeUnit;

/**
 * Limits how many notifications per second a bridged server may send into its topic and counts those dropped. An
 * in-process connection has no rate limit, and a server that sends too many notifications must not flood the topic.
 * Thread-safe.
 */
final class NotificationRateLimiter {
    private static final double PER_SECOND = 200;
    private static final double MAX_BURST = 1000;
    private static final long REPORT_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private double tokens = MAX_BURST;
    private long lastRefill = System.nanoTime();
    private long droppedCount;
    private long lastReported = lastRefill - REPORT_INTERVAL_NANOS;

    /** Whether one more notification may be sent. If not, counts it as dropped. */
    synchronized boolean tryAcquire() {
        long now = System.nanoTime();
        tokens = Math.min(MAX_BURST, tokens + (now - lastRefill) * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        lastRefill = now;
        if (tokens < 1) {
            droppedCount++;
            return false;
        }
        tokens--;
        return true;
    }

    /**
     * Returns how many notifications were dropped since the last report, or 0 if there were none or the last report is
     * less than a minute old.
     */
    synchronized long drainDroppedCount() {
        if (droppedCount == 0 || lastRefill - lastReported < REPORT_INTERVAL_NANOS) {
            return 0;
        }
        lastReported = lastRefill;
        long count = droppedCount;
        droppedCount = 0;
        return count;
    }
}
