package dev.gavel.web.sep;

import dev.gavel.sep.service.PeopleDirectory;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.RegistrySnapshot;
import java.util.List;
import java.util.function.Supplier;

/** Gives the SEP service the registered identities as its directory of people. Thread-safe. */
public final class RegistryPeopleDirectory implements PeopleDirectory {
    private final Supplier<RegistrySnapshot> registrySnapshot;
    private volatile CachedPeople cached;

    private record CachedPeople(RegistrySnapshot registrySnapshot, List<KnownPerson> people) {}

    public RegistryPeopleDirectory(Supplier<RegistrySnapshot> registrySnapshot) {
        this.registrySnapshot = registrySnapshot;
        this.cached = build(registrySnapshot.get());
    }

    @Override
    public List<KnownPerson> listAll() {
        RegistrySnapshot current = registrySnapshot.get();
        CachedPeople latest = cached;
        if (latest.registrySnapshot() != current) {
            latest = build(current);
            cached = latest;
        }
        return latest.people();
    }

    private static CachedPeople build(RegistrySnapshot registrySnapshot) {
        return new CachedPeople(
                registrySnapshot,
                registrySnapshot.names().stream()
                        .filter(name -> !registrySnapshot.isOwnParticipant(name))
                        .map(registrySnapshot::identity)
                        .map(RegistryPeopleDirectory::toKnownPerson)
                        .toList());
    }

    private static KnownPerson toKnownPerson(Identity identity) {
        return new KnownPerson(identity.id(), identity.name(), identity.roles(), identity.handles());
    }
}
