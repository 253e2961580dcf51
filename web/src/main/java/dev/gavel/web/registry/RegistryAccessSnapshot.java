package dev.gavel.web.registry;

import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.ledger.LedgerEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The access of all identities to topics, according to a registry snapshot. Immutable.
 *
 * @param seq the seq of the identity stream up to which the snapshot is complete; it may include later events
 */
record RegistryAccessSnapshot(RegistrySnapshot snapshot, long seq) implements IdentityAccessSource.AccessSnapshot {
    @Override
    public IdentityAccessSource.AccessSnapshot withEvents(List<LedgerEvent> identityEvents) {
        RegistrySnapshot after = snapshot.applyNewer(identityEvents);
        return after == snapshot ? this : new RegistryAccessSnapshot(after, after.lastSeq());
    }

    @Override
    public Optional<String> accessEndReason(String topic, String identity, Instant now) {
        return snapshot.accessEndReason(topic, identity, now);
    }

    @Override
    public Optional<String> tokenEndReason(String identity, String tokenHash, Instant now) {
        return snapshot.tokenEndReason(identity, tokenHash, now);
    }
}
