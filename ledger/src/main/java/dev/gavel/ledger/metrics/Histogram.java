package dev.gavel.ledger.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counts durations in fixed buckets without allocating, for the metrics page. Counting allocates nothing. Thread-safe.
 */
public final class Histogram {
    private static final double NANOS = 1e9;

    private final double[] bounds;
    private final LongAdder[] counts;
    private final DoubleAdder sum = new DoubleAdder();

    private Histogram(double... bounds) {
        this.bounds = bounds;
        this.counts = Stream.generate(LongAdder::new).limit(bounds.length + 1L).toArray(LongAdder[]::new);
    }

    /** Steps of at most so many seconds each, in ascending order; what took longer is counted beyond the last. */
    public static Histogram ofSeconds(double... bounds) {
        return new Histogram(bounds.clone());
    }

    /** Counts something that took so long; a clock that was set back makes that no less than nothing. */
    public void add(Duration took) {
        addNanos(Math.max(0, took.toNanos()));
    }

    /** Counts something that took so many nanoseconds. */
    public void addNanos(long nanos) {
        add(nanos / NANOS);
    }

    private void add(double seconds) {
        int step = 0;
        while (step < bounds.length && seconds > bounds[step]) {
            step++;
        }
        counts[step].increment();
        sum.add(seconds);
    }

    /** What was counted so far. */
    public Snapshot snapshot() {
        List<Bucket> steps = new ArrayList<>(bounds.length);
        long count = 0;
        for (int i = 0; i < bounds.length; i++) {
            count += counts[i].sum();
            steps.add(new Bucket(bounds[i], count));
        }
        return new Snapshot(steps, count + counts[bounds.length].sum(), sum.sum());
    }

    /** So many took at most so many seconds. */
    public record Bucket(double upperBoundSeconds, long count) {}

    /**
     * What was counted up to a moment. Immutable.
     *
     * @param buckets ascending, each with all that the ones before it count
     * @param count of everything
     * @param sum of all seconds
     */
    public record Snapshot(List<Bucket> buckets, long count, double sum) {
        public Snapshot {
            buckets = List.copyOf(buckets);
        }
    }
}
