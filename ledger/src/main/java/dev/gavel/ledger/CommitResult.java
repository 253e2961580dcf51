package dev.gavel.ledger;

/** The result of writing a batch to the ledger store: committed, or unavailable with a reason. */
public sealed interface CommitResult {
    /** The batch is durable and visible to every reader. */
    record Committed() implements CommitResult {}

    /**
     * The database cannot be written to at the moment, and nothing of the batch was written. There is one exception: if
     * the connection was lost during the commit and the database did not come back in time to be queried, the whole
     * batch may have been written. A caller that retries finds its events by their references.
     *
     * @param reason a message that every submitter may see
     * @param detail the database's message, for operators only; may be empty
     */
    record Unavailable(String reason, String detail) implements CommitResult {
        public Unavailable(String reason) {
            this(reason, "");
        }
    }
}
