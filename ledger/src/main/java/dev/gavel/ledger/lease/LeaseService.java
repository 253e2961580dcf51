package dev.gavel.ledger.lease;

/**
 * Grants named leases so that only one of the processes sharing a ledger runs a task at a time. A lease is held for a
 * while and renewed; a process that cannot renew it stops before anybody else may begin. Thread-safe.
 */
public interface LeaseService extends AutoCloseable {
    /**
     * Stands for something until that is closed: begins as soon as nobody else holds it, ends when it could not be renewed
     * in time, and begins again when it can.
     *
     * @param name what only one process may do; at most 200 characters
     */
    LeaseRequest request(String name, LeaseListener leaseListener);

    /** Gives up everything held, so that others need not wait for it to run out; the second time nothing happens. */
    @Override
    void close();

    /** Who does it while it is theirs. Called on a thread of the leases, which may be held up for a moment only. */
    interface LeaseListener {
        /** It is ours from now on. */
        void onAcquire(LeaseTerm term);

        /** It is ours no more; also when the candidacy is closed. Called before anybody else may begin. */
        void onRelease();
    }

    /** One time of holding a lease. Thread-safe. */
    interface LeaseTerm {
        /** Whether it is still ours, by the clock: asked right before something is done that nobody may do twice. */
        boolean isHeld();

        /** Greater than that of every term before, in whatever process. */
        long epoch();
    }

    /** A wish to hold a lease. */
    interface LeaseRequest extends AutoCloseable {
        /** Who holds it now, where that is another process; an empty text where nobody does or we do. */
        String otherHolder();

        /** Stands no more; where the lease is ours it is ended and given up first. */
        @Override
        void close();
    }
}
