package dev.gavel.sep.stats;

import java.util.Arrays;

/**
 * Collects finished and unfinished durations, such as how long SEPs stayed in a state, and summarizes them. Not
 * thread-safe.
 */
final class DurationCollector {
    private long[] ended = new long[4];
    private long[] running = new long[4];
    private int endedCount;
    private int runningCount;

    void addEnded(long seconds) {
        ended = ensureCapacity(ended, endedCount);
        ended[endedCount++] = Math.max(0, seconds);
    }

    /** Adds a duration that still runs or was interrupted. Its final length is unknown, but longer than this. */
    void addRunning(long seconds) {
        running = ensureCapacity(running, runningCount);
        running[runningCount++] = Math.max(0, seconds);
    }

    DurationStats summarize() {
        long[] done = Arrays.copyOf(ended, endedCount);
        long[] open = Arrays.copyOf(running, runningCount);
        Arrays.sort(done);
        Arrays.sort(open);
        return DurationStats.of(done, open);
    }

    private static long[] ensureCapacity(long[] array, int used) {
        return used < array.length ? array : Arrays.copyOf(array, used * 2);
    }
}
