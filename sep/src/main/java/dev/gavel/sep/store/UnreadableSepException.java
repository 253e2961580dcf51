package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerException;

/**
 * What is kept of one proposal cannot be understood, though the ledger can be read: trying again is of no use, and all
 * others can go on. Immutable.
 */
public final class UnreadableSepException extends LedgerException {
    private static final long serialVersionUID = 1L;

    UnreadableSepException(String message) {
        super(message);
    }

    UnreadableSepException(String message, Throwable cause) {
        super(message, cause);
    }
}
