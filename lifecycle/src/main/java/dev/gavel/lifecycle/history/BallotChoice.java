package dev.gavel.lifecycle.history;

/** The choice on a voter's ballot: yes, no, abstain or an open concern. */
public enum BallotChoice {
    YES,
    NO,
    ABSTAIN,
    /** The voter wants an issue settled first; the concern stays open until that voter casts another ballot. */
    CONCERN
}
