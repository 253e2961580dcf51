package dev.gavel.sep.stats;

import java.time.Duration;
import java.util.Optional;

/**
 * The median, 90th percentile and maximum of a set of durations, including those still running (by the Kaplan-Meier
 * estimate). Immutable.
 *
 * <p>A running duration counts, because its final length is at least the length observed so far. If running durations
 * were left out, a state that SEPs almost never leave would look fast as soon as one SEP leaves it. The quantiles
 * therefore use the product-limit estimate, in which a running duration counts as at risk until the end of its
 * observation. If no duration is running, the median is the plain median, the lower of two.
 *
 * @param ended the number of durations that have ended
 * @param running the number of durations that are still running
 * @param median the time within which half have ended; empty while too few have
 * @param p90 the time within which nine of ten have ended; empty while too few have
 * @param longest the longest duration, ended or running
 */
public record DurationStats(
        int ended, int running, Optional<Duration> median, Optional<Duration> p90, Optional<Duration> longest) {
    private static final double ROUNDING = 1e-9;

    /** Computes the statistics from durations in seconds, both arrays sorted. */
    static DurationStats of(long[] ended, long[] running) {
        Optional<Duration> median = Optional.empty();
        Optional<Duration> p90 = Optional.empty();
        double survival = 1;
        int censored = 0;
        for (int i = 0; i < ended.length; ) {
            long at = ended[i];
            int endedNow = 0;
            while (i < ended.length && ended[i] == at) {
                endedNow++;
                i++;
            }
            while (censored < running.length && running[censored] < at) {
                censored++;
            }
            int endedBefore = i - endedNow;
            int atRisk = ended.length - endedBefore + running.length - censored;
            survival *= 1 - (double) endedNow / atRisk;
            if (median.isEmpty() && survival <= 0.5 + ROUNDING) {
                median = Optional.of(Duration.ofSeconds(at));
            }
            if (p90.isEmpty() && survival <= 0.1 + ROUNDING) {
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
