package dev.gavel.gateway.proposal;

/**
 * Defines which members of a topic can read a proposal with its arguments and its result, and calls between other
 * members.
 */
public enum ProposalVisibility {
    /** All members. */
    MEMBERS,
    /** The proposer, the members that could decide it, its addressees, and the members that took part in it. */
    INVOLVED
}
