package dev.gavel.ledger.postgres;

import dev.gavel.ledger.lease.LeaseService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether this process holds a particular lease, and notifies a listener when the process acquires or loses the
 * lease. The notifications are sequential, and a term that is already over is never announced. Thread-safe.
 */
final class PostgresLease {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLease.class);

    private final String name;
    private final LeaseService.LeaseListener listener;
    private final LeaseTimings timings;
    private @Nullable HeldTerm term;
    private boolean closed;
    private volatile String otherHolder = "";

    PostgresLease(String name, LeaseService.LeaseListener leaseListener, LeaseTimings times) {
        this.name = name;
        this.listener = leaseListener;
        this.timings = times;
    }

    String name() {
        return name;
    }

    /** Returns the other process that holds the lease, as of the last query; empty if there is none. */
    String otherHolder() {
        return otherHolder;
    }

    /** Returns the epoch of the term to renew; 0 if this process does not hold the lease. */
    synchronized long epochToRenew() {
        return term == null ? 0 : term.epoch;
    }

    /**
     * The database has granted or renewed the lease for this process.
     *
     * @param sentNanos when the query was sent, by {@link System#nanoTime}: the lease starts then at the earliest
     */
    synchronized void onGranted(long epoch, long sentNanos) {
        long until = sentNanos + timings.lifetime().minus(timings.margin()).toNanos();
        otherHolder = "";
        if (closed || until - System.nanoTime() <= timings.stopNotice().toNanos()) {
            return;
        }
        if (term != null && term.epoch == epoch) {
            term.until = until;
            return;
        }
        release();
        HeldTerm newTerm = new HeldTerm(epoch, until);
        term = newTerm;
        notifyListener(() -> listener.onAcquire(newTerm));
    }

    /** The database reports that this process does not hold the lease. */
    synchronized void onHeldByOther(String holder) {
        otherHolder = holder;
        release();
    }

    /** Releases the lease if it was not renewed in time. */
    synchronized void expireIfDue() {
        if (term != null
                && term.until - System.nanoTime() <= timings.stopNotice().toNanos()) {
            LOG.warn(
                    "The lease '{}' was released: the ledger's database did not confirm in time that this process still holds it.",
                    name);
            release();
        }
    }

    /** Releases the lease and accepts no further grant. */
    synchronized void close() {
        closed = true;
        release();
    }

    private void release() {
        if (term != null) {
            term.ended = true;
            term = null;
            notifyListener(listener::onRelease);
        }
    }

    /** Runs a notification. An exception of one listener does not affect other leases. */
    private void notifyListener(Runnable notification) {
        try {
            notification.run();
        } catch (RuntimeException e) {
            LOG.error("The listener of the lease '{}' failed.", name, e);
        }
    }

    /** A term of this lease. */
    private static final class HeldTerm implements LeaseService.LeaseTerm {
        private final long epoch;
        private volatile long until;
        private volatile boolean ended;

        HeldTerm(long epoch, long until) {
            this.epoch = epoch;
            this.until = until;
        }

        @Override
        public boolean isHeld() {
            return !ended && until - System.nanoTime() > 0;
        }

        @Override
        public long epoch() {
            return epoch;
        }
    }
}
