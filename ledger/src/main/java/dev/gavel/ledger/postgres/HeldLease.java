package dev.gavel.ledger.postgres;

import dev.gavel.ledger.lease.Leases;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidacy: whether the lease is ours, and since when. Its holder is told of beginnings and ends one after the other,
 * never of a beginning that is over already. Thread-safe.
 */
final class HeldLease {
    private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

    private final String name;
    private final Leases.Holder holder;
    private final LeaseTimes times;
    private @Nullable Ours term;
    private boolean closed;
    private volatile String other = "";

    HeldLease(String name, Leases.Holder holder, LeaseTimes times) {
        this.name = name;
        this.holder = holder;
        this.times = times;
    }

    String name() {
        return name;
    }

    /** Who else holds it, as far as is known. */
    String other() {
        return other;
    }

    /** The epoch of the term that is to be renewed; 0 where there is none. */
    synchronized long renewing() {
        return term == null ? 0 : term.epoch;
    }

    /**
     * The database says it is ours.
     *
     * @param sent when it was asked, by {@link System#nanoTime}: it counted from then on at the earliest
     */
    synchronized void granted(long epoch, long sent) {
        long until = sent + times.life().minus(times.margin()).toNanos();
        other = "";
        if (closed || until - System.nanoTime() <= times.notice().toNanos()) {
            return;
        }
        if (term != null && term.epoch == epoch) {
            term.until = until;
            return;
        }
        end();
        Ours begun = new Ours(epoch, until);
        term = begun;
        tell(() -> holder.begin(begun));
    }

    /** The database says it is another's. */
    synchronized void taken(String by) {
        other = by;
        end();
    }

    /** Ends it where it has not been renewed for too long. */
    synchronized void endInTime() {
        if (term != null && term.until - System.nanoTime() <= times.notice().toNanos()) {
            LOG.warn(
                    "'{}' is given up: the ledger's database could not be asked in time whether it is still ours.",
                    name);
            end();
        }
    }

    /** Ends it for good. */
    synchronized void close() {
        closed = true;
        end();
    }

    private void end() {
        if (term != null) {
            term.over = true;
            term = null;
            tell(holder::end);
        }
    }

    /** A holder's mistakes are not the next one's. */
    private void tell(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("What holds '{}' failed to begin or end.", name, e);
        }
    }

    /** A time of holding it. */
    private static final class Ours implements Leases.Term {
        private final long epoch;
        private volatile long until;
        private volatile boolean over;

        Ours(long epoch, long until) {
            this.epoch = epoch;
            this.until = until;
        }

        @Override
        public boolean holds() {
            return !over && until - System.nanoTime() > 0;
        }

        @Override
        public long epoch() {
            return epoch;
        }
    }
}
