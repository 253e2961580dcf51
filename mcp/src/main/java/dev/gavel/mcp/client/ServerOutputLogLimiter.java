package dev.gavel.mcp.client;

import java.util.concurrent.TimeUnit;

/**
 * Limits how many lines an MCP server's output can cause in the log per second, and counts the lines that are dropped.
 * Thread-safe.
 */
final class ServerOutputLogLimiter {
    static final int PER_SECOND = 50;

    private long secondStart = System.nanoTime();
    private int acquiredCount;
    private long droppedCount;

    /** Whether one more line may be logged. If not, counts it as dropped. */
    synchronized boolean tryAcquire() {
        if (System.nanoTime() - secondStart >= TimeUnit.SECONDS.toNanos(1)) {
            secondStart = System.nanoTime();
            acquiredCount = 0;
        }
        if (acquiredCount >= PER_SECOND) {
            droppedCount++;
            return false;
        }
        acquiredCount++;
        return true;
    }

    /** Returns how many lines were dropped since the last call. */
    synchronized long drainDroppedCount() {
        long count = droppedCount;
        droppedCount = 0;
        return count;
    }
}
