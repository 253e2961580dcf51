package dev.gavel.ledger.lease;

/**
 * Grants named leases so that only one of the processes sharing a ledger runs a task at a time. A lease lasts for a
 * limited time and must be renewed. A process that cannot renew it stops before another process can acquire it.
 * Thread-safe.
 */
public interface LeaseService extends AutoCloseable {
    /**
     * Requests a lease until the returned request is closed. The lease is acquired as soon as no other process holds
     * it, is released if it cannot be renewed in time, and is acquired again later.
     *
     * @param name the name of the task that only one process may run; at most 200 characters
     */
    LeaseRequest request(String name, LeaseListener leaseListener);

    /** Releases all leases, so that other processes need not wait for them to expire. A second call does nothing. */
    @Override
    void close();

    /**
     * Runs a task while this process holds the lease. Called on a thread of the lease service, which it must not block
     * for more than a moment.
     */
    interface LeaseListener {
        /** This process holds the lease from now on. */
        void onAcquire(LeaseTerm term);

        /**
         * This process no longer holds the lease, or its request was closed. Called before another process can acquire
         * the lease.
         */
        void onRelease();
    }

    /** A period in which this process holds a lease without interruption. Thread-safe. */
    interface LeaseTerm {
        /**
         * Whether this process still holds the lease, by the local clock. Callers check it right before an action that
         * must not be done twice.
         */
        boolean isHeld();

        /** Returns a number that is greater than that of every earlier term of this lease in any process. */
        long epoch();
    }

    /** A request to hold a lease. */
    interface LeaseRequest extends AutoCloseable {
        /** Returns the process that holds the lease; empty if this process or none holds it. */
        String otherHolder();

        /** Withdraws the request. If this process holds the lease, it is released first. */
        @Override
        void close();
    }
}
