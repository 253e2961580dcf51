package dev.gavel.ledger.executor;

/** Thrown if an owner already has the maximum number of pending tasks. */
public final class TooManyTasksException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyTasksException() {
        super("you have too many pending requests; wait for answers, then try again");
    }
}
