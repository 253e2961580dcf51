package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerException;

/** Thrown when the stored events of one SEP cannot be decoded although the ledger can be read. Immutable. */
public final class UnreadableSepException extends LedgerException {
    private static final long serialVersionUID = 1L;

    UnreadableSepException(String message) {
        super(message);
    }

    UnreadableSepException(String message, Throwable cause) {
        super(message, cause);
    }
}
