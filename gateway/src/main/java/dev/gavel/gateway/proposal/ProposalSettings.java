package dev.gavel.gateway.proposal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A topic's settings for proposals: default and longest time to live, answer timeout, rejection policy, self-approval
 * and whether proposers learn who decides.
 *
 * @param ttl the time to live of a proposal that does not request one
 * @param maxTtl the longest time to live of any proposal
 * @param answerTimeout how long the answer to a fulfilment may take
 * @param rejectionPolicy which rejections close a proposal
 * @param selfApproval whether proposers may fulfil their own proposals
 * @param visibility which members can read a proposal
 * @param showApprovers whether texts for a proposer name the reviewers of its proposals
 * @param secrets the patterns of the arguments that are not shown
 */
public record ProposalSettings(
        Duration ttl,
        Duration maxTtl,
        Duration answerTimeout,
        RejectionPolicy rejectionPolicy,
        boolean selfApproval,
        ProposalVisibility visibility,
        boolean showApprovers,
        SecretArgumentPatterns secrets) {
    /** How long a disconnected member may take to reconnect before it counts as absent. */
    public static final Duration ABSENCE_GRACE = Duration.ofSeconds(2);

    /** Which rejections close a proposal. */
    public enum RejectionPolicy {
        /** One veto of an eligible reviewer, or the rejections of all voters. */
        VETO,
        /** Only the rejections of all voters. */
        ALL
    }

    public ProposalSettings {
        if (!isPositive(ttl) || !isPositive(maxTtl) || !isPositive(answerTimeout)) {
            throw new IllegalArgumentException("the ttl, its maximum and the answer timeout must be above 0");
        }
    }

    /** Creates settings with which all members can read proposals and proposers learn who decides. */
    public ProposalSettings(
            Duration ttl,
            Duration maxTtl,
            Duration answerTimeout,
            RejectionPolicy rejectionPolicy,
            boolean selfApproval) {
        this(
                ttl,
                maxTtl,
                answerTimeout,
                rejectionPolicy,
                selfApproval,
                ProposalVisibility.MEMBERS,
                true,
                SecretArgumentPatterns.NONE);
    }

    private static boolean isPositive(Duration time) {
        return !time.isNegative() && !time.isZero();
    }

    /**
     * Returns when a proposal received now expires.
     *
     * @param requested the requested time to live; null if none was requested
     */
    Instant expiry(@Nullable Duration requested, Instant now) {
        Duration time = requested == null ? ttl : requested;
        return now.plus(time.compareTo(maxTtl) > 0 ? maxTtl : time);
    }
}
