package dev.gavel.gateway.store;

import org.jspecify.annotations.Nullable;

/**
 * Tells the store that the later envelopes of a sender must wait while the arguments of an earlier one are checked, so
 * that the store decides them in the order in which they were sent. The ledger writer starts the wait, and the topic
 * ends it. Thread-safe.
 */
public final class SenderOrder {
    private volatile @Nullable String checkedId;

    /** Whether an envelope must wait, because the arguments of an earlier one are being checked. */
    boolean mustWait(String id) {
        String checked = checkedId;
        return checked != null && !checked.equals(id);
    }

    /** Makes the sender's other envelopes wait until the envelope with this id is decided. */
    void waitFor(String id) {
        checkedId = id;
    }

    /** Lets the sender's envelopes be decided again. */
    public void release() {
        checkedId = null;
    }
}
