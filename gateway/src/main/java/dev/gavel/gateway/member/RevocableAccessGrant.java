package dev.gavel.gateway.member;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The token-based permission behind a member's connections; revoking it closes everything that registered with it. It
 * knows what is open on its strength, and ends that when it ends itself. Thread-safe.
 */
public final class RevocableAccessGrant {
    private final Set<Runnable> callbacks = ConcurrentHashMap.newKeySet();
    private volatile boolean revoked;

    /** Whether it is still good. */
    public boolean isValid() {
        return !revoked;
    }

    /**
     * Has something run when this ends; at once where it has ended. It is noted before that is looked at, so that nothing
     * that begins while this ends is missed.
     *
     * @param ending to be let go of by {@link #removeCallback}; run once at most
     */
    public void onRevoke(Runnable ending) {
        callbacks.add(ending);
        if (revoked) {
            revoke(ending);
        }
    }

    /** Forgets about something that is over by itself. */
    public void removeCallback(Runnable ending) {
        callbacks.remove(ending);
    }

    /** Ends it for good, and everything that is open on its strength. */
    public void revoke() {
        revoked = true;
        callbacks.forEach(this::revoke);
    }

    private void revoke(Runnable ending) {
        if (callbacks.remove(ending)) {
            ending.run();
        }
    }
}
