package dev.gavel.ledger.sql;

import dev.gavel.ledger.LedgerBody;

/** Limits the total bytes of the event bodies in one page of query results. Not thread-safe. */
public final class PageByteBudget {
    private long remainingBytes;

    public PageByteBudget(long bytes) {
        this.remainingBytes = bytes;
    }

    /** Subtracts the length of a body. Returns whether any bytes remain. */
    public boolean consume(LedgerBody body) {
        remainingBytes -= body.length();
        return !isExhausted();
    }

    public boolean isExhausted() {
        return remainingBytes <= 0;
    }
}
