package dev.gavel.ledger;

/** What became of a batch. */
public sealed interface Commit {
    /** It is durable and seen by every reader. */
    record Done() implements Commit {}

    /** Nothing of it was written: the database cannot be written to at the moment. */
    record Unavailable(String reason) implements Commit {}
}
