package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.document.Author;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Resolves handles and names in documents and in the ledger to identities, and lists who has which role of the process.
 * An identity is whoever its handles name; one that lists none is whoever is called like it elsewhere. Whom no identity
 * stands for is known by the handle, with an @ before it, and who has no handle by the name, in quotes: no identity's
 * id can be like either, so nobody becomes somebody else by being called alike. Immutable.
 */
final class PeopleResolver {
    private static final String QUOTE = "\"";

    private final Map<String, PeopleDirectory.KnownPerson> byName = new HashMap<>();
    private final Map<String, String> byHandle = new HashMap<>();
    private final Map<String, List<Person>> members = new HashMap<>();
    private final ProcessDefinition processDefinition;

    PeopleResolver(List<PeopleDirectory.KnownPerson> everybody, ProcessDefinition processDefinition) {
        this.processDefinition = processDefinition;
        for (PeopleDirectory.KnownPerson knownPerson : everybody) {
            byName.put(lowerCase(knownPerson.id()), knownPerson);
            if (knownPerson.handles().isEmpty()) {
                byHandle.putIfAbsent(lowerCase(knownPerson.id()), knownPerson.id());
            }
        }
        // What somebody says is theirs goes before a name that only looks alike.
        for (PeopleDirectory.KnownPerson knownPerson : everybody) {
            knownPerson.handles().forEach(handle -> byHandle.put(lowerCase(withoutAtSign(handle)), knownPerson.id()));
        }
        for (Role role : processDefinition.roles().values()) {
            if (role instanceof Role.ActorRole actorRole) {
                members.put(actorRole.name(), new ArrayList<>());
            }
        }
        for (PeopleDirectory.KnownPerson knownPerson : everybody) {
            for (String role : knownPerson.roles()) {
                List<Person> of = members.get(role);
                if (of != null) {
                    of.add(new Person(knownPerson.id()));
                }
            }
        }
        // Nobody brings these for good: they come with another proposal.
        members.keySet().removeIf(name -> name.startsWith(SepFactEvaluator.SUCCESSOR_ROLE));
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String withoutAtSign(String handle) {
        return handle.startsWith("@") ? handle.substring(1) : handle;
    }

    /** Whether the same handles mean the same people as in another. */
    boolean hasSameHandles(PeopleResolver other) {
        return byHandle.equals(other.byHandle);
    }

    /** Whom a handle means: the identity that has it, and else whoever that is elsewhere, with an @ before it. */
    Person resolve(String handle) {
        String known = byHandle.get(lowerCase(withoutAtSign(handle)));
        return new Person(known == null ? "@" + withoutAtSign(handle) : known);
    }

    /** Whom a document names; a name that is no handle is nobody's here, and stays so. */
    Person resolve(Author author) {
        return author.handle().map(this::resolve).orElseGet(() -> unresolvedPerson(author.identifier()));
    }

    private static Person unresolvedPerson(String name) {
        return new Person(QUOTE + name + QUOTE);
    }

    /** How somebody is shown to people: a name without the quotes it is kept in. */
    static String displayName(String login) {
        return login.length() > 2 && login.startsWith(QUOTE) && login.endsWith(QUOTE)
                ? login.substring(1, login.length() - 1)
                : login;
    }

    /** Whom somebody may mean who looks for a person: an identity, and else a handle or a name. */
    Set<Person> candidates(String text) {
        String said = text.strip();
        if (said.isEmpty()) {
            return Set.of();
        }
        Set<Person> all = new HashSet<>();
        find(said).ifPresentOrElse(knownPerson -> all.add(new Person(knownPerson.id())), () -> {
            all.add(resolve(said));
            all.add(unresolvedPerson(displayName(said)));
            // An identity that is no more.
            all.add(new Person(said));
        });
        return all;
    }

    /** Whether somebody is an identity of this server. */
    boolean isLocal(Person person) {
        return byName.containsKey(lowerCase(person.login()));
    }

    /** Whether an identity brings a role now, itself or with another. */
    boolean hasRole(Person person, String role) {
        PeopleDirectory.KnownPerson knownPerson = byName.get(lowerCase(person.login()));
        return knownPerson != null
                && processDefinition
                        .expandActorRoles(List.copyOf(knownPerson.roles()))
                        .contains(role);
    }

    /** Whom the ledger means: somebody from elsewhere may have become an identity since. */
    Person resolveStored(Person person) {
        return person.login().startsWith("@") ? resolve(person.login()) : person;
    }

    /** Somebody the server knows, by name or handle. */
    Optional<PeopleDirectory.KnownPerson> find(String handle) {
        return Optional.ofNullable(byName.get(lowerCase(handle)))
                .or(() ->
                        Optional.ofNullable(byName.get(lowerCase(resolve(handle).login()))));
    }

    /** The people who bring each role. */
    Map<String, List<Person>> members() {
        return members;
    }

    /** Everybody who brings a role of the process, by name. */
    List<PeopleDirectory.KnownPerson> roleHolders() {
        return byName.values().stream()
                .filter(knownPerson -> !processDefinition
                        .expandActorRoles(List.copyOf(knownPerson.roles()))
                        .isEmpty())
                .sorted((one, other) -> one.id().compareToIgnoreCase(other.id()))
                .toList();
    }

    /** The names of everybody. */
    List<String> names() {
        return byName.values().stream()
                .map(PeopleDirectory.KnownPerson::id)
                .sorted()
                .toList();
    }

    /** Somebody who asks, with the roles they bring. */
    Actor actor(SepCaller caller) {
        return new Actor(
                new Person(caller.identity()),
                caller.roles().stream()
                        .filter(role -> !role.equals(Actor.SYSTEM) && !role.startsWith(SepFactEvaluator.SUCCESSOR_ROLE))
                        .sorted()
                        .toList());
    }
}
