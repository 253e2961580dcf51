package dev.gavel.gateway.proposal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A topic's settings for proposals: default and longest time to live, answer timeout, rejection policy and
 * self-approval.
 *
 * @param ttl how long one stands that says nothing of it
 * @param maxTtl how long any stands at most
 * @param answerTimeout how long a fulfilment may take to be answered
 * @param rejectionPolicy what it takes to close one by rejecting it
 * @param selfApproval whether proposers may fulfil their own
 */
public record ProposalSettings(
        Duration ttl, Duration maxTtl, Duration answerTimeout, Rejection rejectionPolicy, boolean selfApproval) {
    /** How long somebody who lost their connection may take to come back before it counts as leaving. */
    public static final Duration GRACE = Duration.ofSeconds(2);

    /** What it takes to close a proposal by rejecting it. */
    public enum Rejection {
        /** One veto of somebody who counts, or everybody's rejection. */
        VETO,
        /** Everybody's rejection alone. */
        ALL
    }

    public ProposalSettings {
        if (!positive(ttl) || !positive(maxTtl) || !positive(answerTimeout)) {
            throw new IllegalArgumentException("ttl, its maximum and the time to answer are above 0");
        }
    }

    private static boolean positive(Duration time) {
        return !time.isNegative() && !time.isZero();
    }

    /** When a proposal received now, that asks for so long or for nothing, expires. */
    Instant expiry(@Nullable Duration asked, Instant now) {
        Duration time = asked == null ? ttl : asked;
        return now.plus(time.compareTo(maxTtl) > 0 ? maxTtl : time);
    }
}
