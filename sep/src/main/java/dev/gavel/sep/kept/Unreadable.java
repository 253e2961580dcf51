package dev.gavel.sep.kept;

import dev.gavel.ledger.LedgerFailure;

/**
 * What is kept of one proposal cannot be understood, though the ledger can be read: trying again is of no use, and all
 * others can go on. Immutable.
 */
public final class Unreadable extends LedgerFailure {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
        super(message);
    }

    Unreadable(String message, Throwable cause) {
        super(message, cause);
    }
}
