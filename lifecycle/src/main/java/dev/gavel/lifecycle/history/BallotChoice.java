package dev.gavel.lifecycle.history;

/** What somebody says in a vote; their latest counts. */
public enum BallotChoice {
    YES,
    NO,
    ABSTAIN,
    /** Something must be settled first; open until its raiser votes otherwise. */
    CONCERN
}
