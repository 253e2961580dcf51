package dev.gavel.ledger;

/** The database could not be read or maintained; the message says which and why. */
public final class LedgerFailure extends RuntimeException {
    public LedgerFailure(String message, Throwable cause) {
        super(message, cause);
    }

    public LedgerFailure(String message) {
        super(message);
    }
}
