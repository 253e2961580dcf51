package dev.gavel.gateway.member;

import dev.gavel.ledger.LedgerEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Provides the access that identities have to topics, so that the ledger writer can check it when it decides on a
 * proposal. Thread-safe.
 */
@FunctionalInterface
public interface IdentityAccessSource {
    /** Every identity has access; for a gateway whose identities cannot change. */
    IdentityAccessSource UNRESTRICTED = () -> new AccessSnapshot() {
        @Override
        public long seq() {
            return Long.MAX_VALUE;
        }

        @Override
        public AccessSnapshot withEvents(List<LedgerEvent> identityEvents) {
            return this;
        }

        @Override
        public Optional<String> accessEndReason(String topic, String identity, Instant now) {
            return Optional.empty();
        }

        @Override
        public Optional<String> tokenEndReason(String identity, String tokenHash, Instant now) {
            return Optional.empty();
        }
    };

    /** Returns the access that is in effect in this process. */
    AccessSnapshot current();

    /** The access of all identities after an event of the ledger's identity stream. Immutable. */
    interface AccessSnapshot {
        /** The seq of the last event that it includes; {@link Long#MAX_VALUE} if no event can change it. */
        long seq();

        /** Returns the access after these further events of the identity stream. */
        AccessSnapshot withEvents(List<LedgerEvent> identityEvents);

        /**
         * Returns why an identity cannot use a topic at a time: it has no valid token, or it is not a member. Empty if
         * it can use the topic.
         */
        Optional<String> accessEndReason(String topic, String identity, Instant now);

        /** Returns why a token of an identity is not valid at a time. Empty if it is valid. */
        Optional<String> tokenEndReason(String identity, String tokenHash, Instant now);
    }
}
