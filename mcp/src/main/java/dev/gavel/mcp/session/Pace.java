package dev.gavel.mcp.session;

import java.util.concurrent.TimeUnit;

/** How many lines of a stranger are logged: so many a second. Not thread-safe. */
final class Pace {
    static final int PER_SECOND = 50;

    private long second = System.nanoTime();
    private int taken;
    private long leftOut;

    /** Whether one more line may be logged. */
    boolean take() {
        if (System.nanoTime() - second >= TimeUnit.SECONDS.toNanos(1)) {
            second = System.nanoTime();
            taken = 0;
        }
        if (taken >= PER_SECOND) {
            leftOut++;
            return false;
        }
        taken++;
        return true;
    }

    /** How many were left out since this was asked last. */
    long leftOut() {
        long count = leftOut;
        leftOut = 0;
        return count;
    }
}
