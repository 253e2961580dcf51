package dev.gavel.ledger.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts durations in fixed buckets without allocating, for the metrics page. Thread-safe. */
public final class Histogram {
    private static final double NANOS = 1e9;

    private final double[] bounds;
    private final LongAdder[] counts;
    private final DoubleAdder sum = new DoubleAdder();

    private Histogram(double... bounds) {
        this.bounds = bounds;
        this.counts = Stream.generate(LongAdder::new).limit(bounds.length + 1L).toArray(LongAdder[]::new);
    }

    /**
     * Creates a histogram with these upper bounds in seconds, in ascending order. Longer durations count in an overflow
     * bucket.
     */
    public static Histogram ofSeconds(double... bounds) {
        return new Histogram(bounds.clone());
    }

    /** Counts a duration. A negative one, as after a clock was set back, counts as zero. */
    public void add(Duration duration) {
        addNanos(Math.max(0, duration.toNanos()));
    }

    /** Counts a duration in nanoseconds. */
    public void addNanos(long nanos) {
        add(nanos / NANOS);
    }

    private void add(double seconds) {
        int bucketIndex = 0;
        while (bucketIndex < bounds.length && seconds > bounds[bucketIndex]) {
            bucketIndex++;
        }
        counts[bucketIndex].increment();
        sum.add(seconds);
    }

    /** Returns the counts up to now. */
    public Snapshot snapshot() {
        List<Bucket> cumulativeBuckets = new ArrayList<>(bounds.length);
        long count = 0;
        for (int i = 0; i < bounds.length; i++) {
            count += counts[i].sum();
            cumulativeBuckets.add(new Bucket(bounds[i], count));
        }
        return new Snapshot(cumulativeBuckets, count + counts[bounds.length].sum(), sum.sum());
    }

    /** The number of durations that are at most {@code upperBoundSeconds}. */
    public record Bucket(double upperBoundSeconds, long count) {}

    /**
     * The counts at one moment. Immutable.
     *
     * @param buckets cumulative counts, ordered by upper bound
     * @param count the number of all durations
     * @param sum the sum of all durations, in seconds
     */
    public record Snapshot(List<Bucket> buckets, long count, double sum) {
        public Snapshot {
            buckets = List.copyOf(buckets);
        }
    }
}
