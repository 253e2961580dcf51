package dev.gavel.ledger;

/** The database could not be read or maintained, or what it keeps makes no sense; the message says which and why. */
public class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }

    public LedgerException(String message) {
        super(message);
    }
}
