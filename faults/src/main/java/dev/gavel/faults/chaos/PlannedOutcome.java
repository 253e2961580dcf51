package dev.gavel.faults.chaos;

/** Outcome that the participants of a chaos run aim at for a proposal, derived from its number. */
enum PlannedOutcome {
    /** Nobody does anything, and it does not stand long. */
    EXPIRES(2),
    /** Its proposer takes it back while somebody fulfils it. */
    WITHDRAWN_OR_FULFILLED(600),
    /** Two fulfil it at once. */
    FULFILLED(600),
    /** One rejects it. */
    REJECTED(600),
    /** One fulfils it, one rejects it. */
    FULFILLED_OR_REJECTED(600),
    /** Its proposer takes it back. */
    WITHDRAWN(600),
    /** One fulfils it, who has to come back to it where that fails. */
    FULFILLED_BY_ONE(600),
    /** Somebody fulfils it at about the time it expires. */
    FULFILLED_OR_EXPIRED(1.5);

    private final double ttlSeconds;

    PlannedOutcome(double ttlSeconds) {
        this.ttlSeconds = ttlSeconds;
    }

    double ttlSeconds() {
        return ttlSeconds;
    }

    static PlannedOutcome of(String proposal) {
        return values()[number(proposal) % values().length];
    }

    static int number(String proposal) {
        return Integer.parseInt(proposal.substring(proposal.lastIndexOf('-') + 1));
    }
}
