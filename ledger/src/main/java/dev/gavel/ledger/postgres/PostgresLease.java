package dev.gavel.ledger.postgres;

import dev.gavel.ledger.lease.LeaseService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether this process holds one lease and notifies the lease's listener when it is acquired or released. Its
 * holder is told of beginnings and ends one after the other, never of a beginning that is over already. Thread-safe.
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

    /** Who else holds it, as far as is known. */
    String otherHolder() {
        return otherHolder;
    }

    /** The epoch of the term that is to be renewed; 0 where there is none. */
    synchronized long epochToRenew() {
        return term == null ? 0 : term.epoch;
    }

    /**
     * The database says it is ours.
     *
     * @param sent when it was asked, by {@link System#nanoTime}: it counted from then on at the earliest
     */
    synchronized void onGranted(long epoch, long sent) {
        long until = sent + timings.lifetime().minus(timings.margin()).toNanos();
        otherHolder = "";
        if (closed || until - System.nanoTime() <= timings.stopNotice().toNanos()) {
            return;
        }
        if (term != null && term.epoch == epoch) {
            term.until = until;
            return;
        }
        release();
        HeldTerm begun = new HeldTerm(epoch, until);
        term = begun;
        notifyListener(() -> listener.onAcquire(begun));
    }

    /** The database says it is another's. */
    synchronized void onHeldByOther(String by) {
        otherHolder = by;
        release();
    }

    /** Ends it where it has not been renewed for too long. */
    synchronized void expireIfDue() {
        if (term != null
                && term.until - System.nanoTime() <= timings.stopNotice().toNanos()) {
            LOG.warn(
                    "'{}' is given up: the ledger's database could not be asked in time whether it is still ours.",
                    name);
            release();
        }
    }

    /** Ends it for good. */
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

    /** A holder's mistakes are not the next one's. */
    private void notifyListener(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("What holds '{}' failed to begin or end.", name, e);
        }
    }

    /** A time of holding it. */
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
