package dev.gavel.gateway.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells the store that the later envelopes of a sender must wait while the arguments of an earlier one are checked, so
 * that the store decides them in the order in which they were sent. The store starts and ends the wait. Thread-safe.
 */
public final class SenderOrderBarrier {
    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong checkedNumber = new AtomicLong(NONE);

    /** Returns the position of an envelope in the order in which its sender's envelopes arrived. */
    public Position at(long number) {
        return new Position(number);
    }

    /** The position of one envelope among the envelopes of its sender. */
    public final class Position {
        private final long number;

        private Position(long number) {
            this.number = number;
        }

        /** Whether the envelope must wait, because the arguments of an earlier one are being checked. */
        boolean mustWait() {
            return number > checkedNumber.get();
        }

        /** Makes the sender's later envelopes wait until this one is decided. */
        void startWait() {
            checkedNumber.set(number);
        }

        /** Lets later envelopes be decided, if they wait for this one. */
        void endWait() {
            checkedNumber.compareAndSet(number, NONE);
        }
    }
}
