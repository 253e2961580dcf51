package dev.gavel.lifecycle.history;

/** The choice on a voter's ballot: yes, no, abstain, an open concern, or no part in the vote. */
public enum BallotChoice {
    YES,
    NO,
    ABSTAIN,
    /** The voter wants an issue settled first; the concern stays open until that voter casts another ballot. */
    CONCERN,
    /** The voter takes no part in the vote, for example because of a conflict of interest; not counted as a voter. */
    RECUSE
}
