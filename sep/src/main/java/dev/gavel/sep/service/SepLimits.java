package dev.gavel.sep.service;

import java.util.function.Function;

/**
 * Limits of the SEP service. Immutable.
 *
 * @param sepsPerSponsor the recommended maximum number of SEPs for one sponsor
 * @param dailyBytes how many bytes one identity may store on one day in UTC; votes and moves are never refused
 * @param submissions returns how many SEPs an identity without a role may submit
 */
public record SepLimits(int sepsPerSponsor, long dailyBytes, Function<String, SubmissionLimit> submissions) {
    /**
     * How many SEPs one identity may submit.
     *
     * @param open the maximum number of its open SEPs
     * @param hour the maximum number of SEPs that it submits within an hour
     */
    public record SubmissionLimit(int open, int hour) {
        public static final SubmissionLimit OFF = new SubmissionLimit(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** Returns limits without a limit of what an identity may store or submit. */
    public static SepLimits forSponsors(int sepsPerSponsor) {
        return new SepLimits(sepsPerSponsor, Long.MAX_VALUE, identity -> SubmissionLimit.OFF);
    }
}
