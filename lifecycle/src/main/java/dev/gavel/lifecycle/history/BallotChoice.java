package dev.gavel.lifecycle.history;

/** The choice on a voter's ballot: yes, no, abstain or an open concern. */
public enum BallotChoice {
    YES,
    NO,
    ABSTAIN,
    /** Something must be settled first; open until its raiser votes otherwise. */
    CONCERN
}
