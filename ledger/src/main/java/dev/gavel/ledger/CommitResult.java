package dev.gavel.ledger;

/** The result of writing a batch to the ledger store: committed, or unavailable with a reason. */
public sealed interface CommitResult {
    /** It is durable and seen by every reader. */
    record Committed() implements CommitResult {}

    /**
     * Nothing of it was written: the database cannot be written to at the moment. Where it was lost in the very moment of
     * writing, and did not come back in time to be asked, it may turn out that all of it was: whoever tries again finds what
     * they wrote by its reference.
     *
     * @param reason for those who wanted it written, which may be anybody
     * @param detail what the database says of it, for those who run it; may be empty
     */
    record Unavailable(String reason, String detail) implements CommitResult {
        public Unavailable(String reason) {
            this(reason, "");
        }
    }
}
