package dev.gavel.faults.chaos;

/**
 * The planned outcome of a proposal in a chaos run, such as rejected or expired, chosen by the number in the proposal's
 * id.
 */
enum PlannedProposalOutcome {
    /** No reviewer decides, and its time to live is short. */
    EXPIRES(2),
    /** Its proposer withdraws it while a reviewer fulfils it. */
    WITHDRAWN_OR_FULFILLED(600),
    /** Two reviewers fulfil it at the same time. */
    FULFILLED(600),
    /** One reviewer rejects it. */
    REJECTED(600),
    /** One reviewer fulfils it, another rejects it. */
    FULFILLED_OR_REJECTED(600),
    /** Its proposer withdraws it. */
    WITHDRAWN(600),
    /** One reviewer fulfils it, and must retry if that fails. */
    FULFILLED_BY_ONE(600),
    /** A reviewer fulfils it at about the time it expires. */
    FULFILLED_OR_EXPIRED(1.5);

    private final double ttlSeconds;

    PlannedProposalOutcome(double ttlSeconds) {
        this.ttlSeconds = ttlSeconds;
    }

    double ttlSeconds() {
        return ttlSeconds;
    }

    static PlannedProposalOutcome of(String proposal) {
        return values()[number(proposal) % values().length];
    }

    static int number(String proposal) {
        return Integer.parseInt(proposal.substring(proposal.lastIndexOf('-') + 1));
    }
}
