package dev.gavel.bench.stats;

import java.util.Arrays;

/** Collects durations in nanoseconds and computes their percentiles. Not thread-safe. */
public final class TimeSamples {
    private long[] nanos = new long[1024];
    private int size;

    public void add(long sample) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = sample;
    }

    public void addAll(TimeSamples other) {
        for (int i = 0; i < other.size; i++) {
            add(other.nanos[i]);
        }
    }

    /** The time that this percentage of the samples does not exceed; 0 if there are no samples. */
    public long percentile(double percent) {
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return size == 0 ? 0 : sorted[Math.clamp((int) Math.ceil(size * percent / 100) - 1, 0, size - 1)];
    }

    public int size() {
        return size;
    }

    public long median() {
        return percentile(50);
    }
}
