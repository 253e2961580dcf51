package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Body;

/** Counts the bytes of a page's bodies. Not thread-safe. */
final class Room {
    private long left;

    Room(long bytes) {
        this.left = bytes;
    }

    /** Whether there is any after this one. */
    boolean leftBy(Body body) {
        left -= body.length();
        return !full();
    }

    boolean full() {
        return left <= 0;
    }
}
