package dev.gavel.web.sep;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.sep.service.PeopleDirectory;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Gives the SEP service the registered identities as its directory of people. An identity without a valid token stays in
 * the directory, because documents and events name it, but has no roles. Thread-safe.
 */
public final class RegistryPeopleDirectory implements PeopleDirectory {
    private final IdentityRegistry identityRegistry;
    private final InstantSource clock;
    private volatile CachedPeople cached;

    /** The people of a snapshot, valid until the next token expires. */
    private record CachedPeople(RegistrySnapshot registrySnapshot, Instant validUntil, List<KnownPerson> people) {}

    public RegistryPeopleDirectory(IdentityRegistry identityRegistry, InstantSource clock) {
        this.identityRegistry = identityRegistry;
        this.clock = clock;
        this.cached = build(identityRegistry.snapshot());
    }

    @Override
    public List<KnownPerson> listAll() {
        return people(identityRegistry.snapshot());
    }

    @Override
    public List<KnownPerson> listAll(LongFunction<List<LedgerEvent>> identityEventsAfter) {
        return people(identityRegistry.snapshot(identityEventsAfter));
    }

    private List<KnownPerson> people(RegistrySnapshot current) {
        CachedPeople latest = cached;
        if (latest.registrySnapshot() != current || !clock.instant().isBefore(latest.validUntil())) {
            latest = build(current);
            cached = latest;
        }
        return latest.people();
    }

    private CachedPeople build(RegistrySnapshot registrySnapshot) {
        Instant now = clock.instant();
        return new CachedPeople(
                registrySnapshot, registrySnapshot.nextExpiry(now).orElse(Instant.MAX), listAll(registrySnapshot, now));
    }

    /** Returns the people of a snapshot at a time. */
    public static List<KnownPerson> listAll(RegistrySnapshot registrySnapshot, Instant now) {
        return registrySnapshot.names().stream()
                .filter(name -> !registrySnapshot.isOwnParticipant(name))
                .map(name -> toKnownPerson(registrySnapshot.identity(name), registrySnapshot.hasValidToken(name, now)))
                .toList();
    }

    private static KnownPerson toKnownPerson(Identity identity, boolean active) {
        return new KnownPerson(identity.id(), identity.name(), identity.roles(), identity.handles(), active);
    }
}
