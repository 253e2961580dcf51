package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.text.DisplayNames;
import dev.gavel.sep.document.Author;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves handles and names in documents and in the ledger to identities, and lists who has which role of the process.
 * An identity matches its handles; an identity without handles matches the handle that equals its id. A person without
 * an identity is stored as the handle with a leading @, and a person without a handle as the name in quotes. No
 * identity id has either syntax, so equal names never turn one person into another. Immutable.
 */
final class PeopleResolver {
    private static final String QUOTE = "\"";

    /** Stands for the owner of a handle that several identities claim. Such a handle means none of them. */
    private static final String AMBIGUOUS = "";

    private final Map<String, PeopleDirectory.KnownPerson> byId = new HashMap<>();

    /** The ids of all identities whose ids are the same except for case, which are several if admins were careless. */
    private final Map<String, List<String>> idsByLowerCase = new HashMap<>();

    private final Map<String, String> byHandle = new HashMap<>();
    private final Map<String, List<Person>> members = new HashMap<>();
    private final Map<Person, String> names = new HashMap<>();
    private final Map<String, String> byName = new HashMap<>();
    private final ProcessDefinition processDefinition;

    PeopleResolver(List<PeopleDirectory.KnownPerson> knownPeople, ProcessDefinition processDefinition) {
        this.processDefinition = processDefinition;
        for (PeopleDirectory.KnownPerson knownPerson : knownPeople) {
            byId.put(knownPerson.id(), knownPerson);
            idsByLowerCase
                    .computeIfAbsent(lowerCase(knownPerson.id()), _ -> new ArrayList<>())
                    .add(knownPerson.id());
            if (knownPerson.handles().isEmpty()) {
                byHandle.merge(lowerCase(knownPerson.id()), knownPerson.id(), (_, _) -> AMBIGUOUS);
            }
        }
        // An explicitly listed handle takes precedence over an id that merely equals the handle.
        Map<String, String> explicit = new HashMap<>();
        for (PeopleDirectory.KnownPerson knownPerson : knownPeople) {
            knownPerson
                    .handles()
                    .forEach(idOrHandle -> explicit.merge(
                            lowerCase(withoutAtSign(idOrHandle)),
                            knownPerson.id(),
                            (one, other) -> one.equals(other) ? one : AMBIGUOUS));
        }
        byHandle.putAll(explicit);
        byHandle.values().removeIf(AMBIGUOUS::equals);
        for (Role role : processDefinition.roles().values()) {
            if (role instanceof Role.ActorRole actorRole) {
                members.put(actorRole.name(), new ArrayList<>());
            }
        }
        for (PeopleDirectory.KnownPerson knownPerson : knownPeople) {
            for (String role : knownPerson.roles()) {
                List<Person> roleMembers = members.get(role);
                if (roleMembers != null) {
                    roleMembers.add(new Person(knownPerson.id()));
                }
            }
        }
        Map<String, String> displayNames = new HashMap<>();
        knownPeople.forEach(knownPerson -> displayNames.put(knownPerson.id(), knownPerson.name()));
        DisplayNames.distinct(displayNames).forEach((id, name) -> {
            names.put(new Person(id), name);
            byName.put(lowerCase(name), id);
        });
        // These roles have no permanent members: a person has them through a role in the successor SEP.
        members.keySet().removeIf(name -> name.startsWith(SepFactEvaluator.SUCCESSOR_ROLE_PREFIX));
    }

    /** Returns the identity with this id, or the only one whose id differs from it in case. */
    private PeopleDirectory.@Nullable KnownPerson known(String id) {
        PeopleDirectory.KnownPerson exact = byId.get(id);
        List<String> similar = idsByLowerCase.getOrDefault(lowerCase(id), List.of());
        return exact == null && similar.size() == 1 ? byId.get(similar.getFirst()) : exact;
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String withoutAtSign(String idOrHandle) {
        return idOrHandle.startsWith("@") ? idOrHandle.substring(1) : idOrHandle;
    }

    /** Whether all handles resolve to the same identities, and each role has the same members, as in another resolver. */
    boolean hasSameHandlesAndMembers(PeopleResolver other) {
        return byHandle.equals(other.byHandle) && members.equals(other.members);
    }

    /** Returns the identity with a handle, or the handle with a leading @ if there is none. */
    Person resolve(String idOrHandle) {
        String identity = byHandle.get(lowerCase(withoutAtSign(idOrHandle)));
        return new Person(identity == null ? "@" + withoutAtSign(idOrHandle) : identity);
    }

    /** Returns the person that a document names. A name without a handle never resolves to an identity. */
    Person resolve(Author author) {
        return author.handle().map(this::resolve).orElseGet(() -> unresolvedPerson(author.identifier()));
    }

    private static Person unresolvedPerson(String name) {
        return new Person(QUOTE + name + QUOTE);
    }

    /** Returns the people who have a role, directly or through a role that implies it. */
    List<Person> holders(RoleGroup group) {
        return members.entrySet().stream()
                .filter(entry -> processDefinition
                        .expandActorRoles(List.of(entry.getKey()))
                        .contains(group.role()))
                .flatMap(entry -> entry.getValue().stream())
                .distinct()
                .toList();
    }

    /** Returns how texts name the proposals of the process, unless it is the default. */
    Optional<ProposalTerms> nonDefaultTerms() {
        return Optional.of(processDefinition.terms()).filter(terms -> !terms.equals(ProposalTerms.DEFAULT));
    }

    /** Returns the display names of the identities whose display name differs from the id. */
    Map<Person, String> names() {
        return names;
    }

    /** Returns the name that texts use for a person. */
    String name(Person person) {
        String name = names.get(person);
        return name == null ? withoutQuotes(person.login()) : name;
    }

    /**
     * Returns a person as documents name them: by handle, with the display name if it is wanted and known.
     */
    String asAuthor(Person person, boolean withName) {
        PeopleDirectory.KnownPerson knownPerson = known(person.login());
        if (knownPerson == null) {
            return withoutQuotes(person.login());
        }
        String handle =
                "@" + withoutAtSign(knownPerson.handles().stream().findFirst().orElse(knownPerson.id()));
        return withName ? knownPerson.name() + " (" + handle + ")" : handle;
    }

    /** Returns a login as results contain it: a name without the quotes in which it is stored. */
    static String withoutQuotes(String login) {
        return login.length() > 2 && login.startsWith(QUOTE) && login.endsWith(QUOTE)
                ? login.substring(1, login.length() - 1)
                : login;
    }

    /** Returns all persons that a search text may mean: an identity, or else a handle or a name. */
    Set<Person> candidates(String text) {
        String searchText = text.strip();
        if (searchText.isEmpty()) {
            return Set.of();
        }
        Set<Person> all = new HashSet<>();
        find(searchText).ifPresentOrElse(knownPerson -> all.add(new Person(knownPerson.id())), () -> {
            all.add(resolve(searchText));
            all.add(unresolvedPerson(withoutQuotes(searchText)));
            // An identity that no longer exists.
            all.add(new Person(searchText));
        });
        return all;
    }

    /** Whether a person is an identity of this server. */
    boolean isLocal(Person person) {
        return known(person.login()) != null;
    }

    /** Whether an identity has a role now, directly or implied by another role. */
    boolean hasRole(Person person, String role) {
        PeopleDirectory.KnownPerson knownPerson = known(person.login());
        return knownPerson != null
                && processDefinition
                        .expandActorRoles(List.copyOf(knownPerson.roles()))
                        .contains(role);
    }

    /** Returns the current identity of a stored person, because a person without an identity may have got one since. */
    Person resolveStored(Person person) {
        return person.login().startsWith("@") ? resolve(person.login()) : person;
    }

    /**
     * Returns the known person with an id, a handle or a name. Texts call people by these names, so readers use them. A
     * name that could mean two people contains the id.
     */
    Optional<PeopleDirectory.KnownPerson> find(String idOrHandle) {
        return Optional.ofNullable(known(idOrHandle))
                .or(() -> Optional.ofNullable(known(resolve(idOrHandle).login())))
                .or(() -> Optional.ofNullable(byName.get(lowerCase(idOrHandle))).map(id -> byId.get(id)));
    }

    /** Returns the people who have each role. */
    Map<String, List<Person>> members() {
        return members;
    }

    /** Returns all people who have a role of the process, sorted by id. */
    List<PeopleDirectory.KnownPerson> roleHolders() {
        return byId.values().stream()
                .filter(knownPerson -> !processDefinition
                        .expandActorRoles(List.copyOf(knownPerson.roles()))
                        .isEmpty())
                .sorted((one, other) -> one.id().compareToIgnoreCase(other.id()))
                .toList();
    }

    /** Returns the ids of all people. */
    List<String> ids() {
        return byId.values().stream()
                .map(PeopleDirectory.KnownPerson::id)
                .sorted()
                .toList();
    }

    /** Whether an identity had a token and has no valid one any more. */
    boolean hasLostAccess(String identity) {
        PeopleDirectory.KnownPerson knownPerson = known(identity);
        return knownPerson != null && !knownPerson.active();
    }

    /** Returns the caller as an actor with the caller's roles, except those that were removed in the meantime. */
    Actor actor(SepCaller caller) {
        PeopleDirectory.KnownPerson knownPerson = known(caller.identity());
        return new Actor(
                new Person(caller.identity()),
                caller.roles().stream()
                        .filter(role ->
                                !role.equals(Actor.SYSTEM) && !role.startsWith(SepFactEvaluator.SUCCESSOR_ROLE_PREFIX))
                        .filter(role ->
                                knownPerson == null || knownPerson.roles().contains(role))
                        .sorted()
                        .toList());
    }
}
