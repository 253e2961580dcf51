package dev.gavel.gateway.proposal;

import java.util.Map;

/**
 * The limits on what one identity may ask reviewers to decide and may store in the ledger, over all topics.
 *
 * @param ask the limit of identities that have none of their own
 * @param askByIdentity limits of single identities
 */
public record ProposalLimits(AskLimit ask, Map<String, AskLimit> askByIdentity, ByteQuota bytes) {
    public static final ProposalLimits NONE = new ProposalLimits(AskLimit.OFF, Map.of(), ByteQuota.OFF);

    public ProposalLimits {
        askByIdentity = Map.copyOf(askByIdentity);
    }

    /**
     * How many approvals an identity may ask for.
     *
     * @param open the maximum number of its open proposals
     * @param hour the maximum number of proposals that it makes within an hour
     */
    public record AskLimit(int open, int hour) {
        public static final AskLimit DEFAULT = new AskLimit(20, 60);
        public static final AskLimit OFF = new AskLimit(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * How many bytes an identity may store.
     *
     * @param open the maximum size of its open proposals
     * @param day the maximum size of what it writes to the ledger on one day in UTC
     */
    public record ByteQuota(long open, long day) {
        public static final ByteQuota DEFAULT = new ByteQuota(16L << 20, 256L << 20);
        public static final ByteQuota OFF = new ByteQuota(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** The limit of an identity. */
    public AskLimit askLimitOf(String identity) {
        return askByIdentity.getOrDefault(identity, ask);
    }
}
