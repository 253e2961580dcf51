package dev.gavel.ledger;

/** Thrown when the ledger's database cannot be read or maintained, or contains invalid data. */
public class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }

    public LedgerException(String message) {
        super(message);
    }
}
