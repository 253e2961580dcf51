package dev.gavel.sep.stats;

import java.time.Duration;
import java.util.Optional;

/**
 * The median, 90th percentile and maximum of durations; durations still running are included by the Kaplan-Meier
 * estimate. Immutable.
 *
 * <p>What is not over yet counts: it took at least as long as it has lasted. Leaving it out would make a state that
 * nobody ever leaves look quick as soon as one does. So a share of, say, one half is reached after the time by which
 * half are over by the product-limit estimate, in which whatever lasts counts among those who might end until the
 * moment up to which it has been seen. With nothing lasting, that is the plain value in the middle, the lower of two.
 *
 * @param ended how many are over
 * @param running how many are not
 * @param median the time within which half are over; none while too few are
 * @param p90 the time within which nine of ten are over; none while too few are
 * @param longest the longest seen, over or not
 */
public record DurationStats(
        int ended, int running, Optional<Duration> median, Optional<Duration> p90, Optional<Duration> longest) {
    private static final double ROUNDING = 1e-9;

    /** Of sorted seconds. */
    static DurationStats of(long[] ended, long[] running) {
        Optional<Duration> median = Optional.empty();
        Optional<Duration> p90 = Optional.empty();
        double lasting = 1;
        int gone = 0;
        for (int i = 0; i < ended.length; ) {
            long at = ended[i];
            int here = 0;
            while (i < ended.length && ended[i] == at) {
                here++;
                i++;
            }
            while (gone < running.length && running[gone] < at) {
                gone++;
            }
            int before = i - here;
            int atRisk = ended.length - before + running.length - gone;
            lasting *= 1 - (double) here / atRisk;
            if (median.isEmpty() && lasting <= 0.5 + ROUNDING) {
                median = Optional.of(Duration.ofSeconds(at));
            }
            if (p90.isEmpty() && lasting <= 0.1 + ROUNDING) {
                p90 = Optional.of(Duration.ofSeconds(at));
            }
        }
        long longest = Math.max(last(ended), last(running));
        return new DurationStats(
                ended.length,
                running.length,
                median,
                p90,
                longest < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(longest)));
    }

    private static long last(long[] sorted) {
        return sorted.length == 0 ? -1 : sorted[sorted.length - 1];
    }
}
