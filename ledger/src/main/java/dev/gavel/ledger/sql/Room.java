package dev.gavel.ledger.sql;

import dev.gavel.ledger.Body;

/** Counts the bytes of a page's bodies. Not thread-safe. */
public final class Room {
    private long left;

    public Room(long bytes) {
        this.left = bytes;
    }

    /** Whether there is any after this one. */
    public boolean leftBy(Body body) {
        left -= body.length();
        return !full();
    }

    public boolean full() {
        return left <= 0;
    }
}
