package dev.gavel.ledger;

/** The database could not be read or maintained, or what it keeps makes no sense; the message says which and why. */
public class LedgerFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LedgerFailure(String message, Throwable cause) {
        super(message, cause);
    }

    public LedgerFailure(String message) {
        super(message);
    }
}
