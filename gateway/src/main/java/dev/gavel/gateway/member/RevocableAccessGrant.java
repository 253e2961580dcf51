package dev.gavel.gateway.member;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The access that a token grants; when it is revoked, every connection and long poll that registered with it is closed.
 * Thread-safe.
 */
public final class RevocableAccessGrant {
    private final Optional<String> tokenHash;
    private final Set<Runnable> callbacks = ConcurrentHashMap.newKeySet();
    private volatile boolean revoked;

    /**
     * Creates a grant without a token whose validity the ledger writer could check: for a participant that this process
     * runs, or for an access token of an issuer.
     */
    public RevocableAccessGrant() {
        this.tokenHash = Optional.empty();
    }

    /** Creates the grant of the token with this hash. */
    public RevocableAccessGrant(String tokenHash) {
        this.tokenHash = Optional.of(tokenHash);
    }

    /** Returns the hash of the token; empty for a grant without a token. */
    public Optional<String> tokenHash() {
        return tokenHash;
    }

    /** Whether the grant has not been revoked. */
    public boolean isValid() {
        return !revoked;
    }

    /**
     * Registers a callback to run when this grant is revoked; runs it at once if the grant is already revoked. The
     * callback is registered before the flag is read, so that one registered during the revocation is not missed.
     *
     * @param callback runs at most once; to be removed with {@link #removeCallback}
     */
    public void onRevoke(Runnable callback) {
        callbacks.add(callback);
        if (revoked) {
            revoke(callback);
        }
    }

    /** Removes the callback of a connection that has ended for another reason. */
    public void removeCallback(Runnable callback) {
        callbacks.remove(callback);
    }

    /** Revokes the grant permanently and runs every registered callback. */
    public void revoke() {
        revoked = true;
        callbacks.forEach(this::revoke);
    }

    private void revoke(Runnable callback) {
        if (callbacks.remove(callback)) {
            callback.run();
        }
    }
}
