package dev.gavel.sep.desk;

import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
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
 * Everybody as a process sees them, at one moment. An identity is whoever its handles name; one that lists none is whoever
 * is called like it elsewhere. Whom no identity stands for is known by the handle, with an @ before it, and who has no handle
 * by the name, in quotes: no identity's id can be like either, so nobody becomes somebody else by being called alike.
 * Immutable.
 */
final class Roster {
    private static final String QUOTE = "\"";

    private final Map<String, People.Known> byName = new HashMap<>();
    private final Map<String, String> byHandle = new HashMap<>();
    private final Map<String, List<Person>> members = new HashMap<>();
    private final Process process;

    Roster(List<People.Known> everybody, Process process) {
        this.process = process;
        for (People.Known known : everybody) {
            byName.put(folded(known.id()), known);
            if (known.handles().isEmpty()) {
                byHandle.putIfAbsent(folded(known.id()), known.id());
            }
        }
        // What somebody says is theirs goes before a name that only looks alike.
        for (People.Known known : everybody) {
            known.handles().forEach(handle -> byHandle.put(folded(bare(handle)), known.id()));
        }
        for (Role role : process.roles().values()) {
            if (role instanceof Role.Brought brought) {
                members.put(brought.name(), new ArrayList<>());
            }
        }
        for (People.Known known : everybody) {
            for (String role : known.roles()) {
                List<Person> of = members.get(role);
                if (of != null) {
                    of.add(new Person(known.id()));
                }
            }
        }
        // Nobody brings these for good: they come with another proposal.
        members.keySet().removeIf(name -> name.startsWith(Facts.SUCCESSOR_ROLE));
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String bare(String handle) {
        return handle.startsWith("@") ? handle.substring(1) : handle;
    }

    /** Whether the same handles mean the same people as in another. */
    boolean namesAlike(Roster other) {
        return byHandle.equals(other.byHandle);
    }

    /** Whom a handle means: the identity that has it, and else whoever that is elsewhere, with an @ before it. */
    Person person(String handle) {
        String known = byHandle.get(folded(bare(handle)));
        return new Person(known == null ? "@" + bare(handle) : known);
    }

    /** Whom a document names; a name that is no handle is nobody's here, and stays so. */
    Person person(Author author) {
        return author.handle().map(this::person).orElseGet(() -> named(author.known()));
    }

    private static Person named(String name) {
        return new Person(QUOTE + name + QUOTE);
    }

    /** How somebody is shown to people: a name without the quotes it is kept in. */
    static String shown(String login) {
        return login.length() > 2 && login.startsWith(QUOTE) && login.endsWith(QUOTE)
                ? login.substring(1, login.length() - 1)
                : login;
    }

    /** Whom somebody may mean who looks for a person: an identity, and else a handle or a name. */
    Set<Person> meant(String text) {
        String said = text.strip();
        if (said.isEmpty()) {
            return Set.of();
        }
        Set<Person> all = new HashSet<>();
        known(said).ifPresentOrElse(known -> all.add(new Person(known.id())), () -> {
            all.add(person(said));
            all.add(named(shown(said)));
            // An identity that is no more.
            all.add(new Person(said));
        });
        return all;
    }

    /** Whether somebody is an identity of this server. */
    boolean isHere(Person person) {
        return byName.containsKey(folded(person.login()));
    }

    /** Whether an identity brings a role now, itself or with another. */
    boolean brings(Person person, String role) {
        People.Known known = byName.get(folded(person.login()));
        return known != null && process.brought(List.copyOf(known.roles())).contains(role);
    }

    /** Whom the ledger means: somebody from elsewhere may have become an identity since. */
    Person settled(Person person) {
        return person.login().startsWith("@") ? person(person.login()) : person;
    }

    /** Somebody the server knows, by name or handle. */
    Optional<People.Known> known(String handle) {
        return Optional.ofNullable(byName.get(folded(handle)))
                .or(() -> Optional.ofNullable(byName.get(folded(person(handle).login()))));
    }

    /** The people who bring each role. */
    Map<String, List<Person>> members() {
        return members;
    }

    /** Everybody who brings a role of the process, by name. */
    List<People.Known> bearers() {
        return byName.values().stream()
                .filter(known -> !process.brought(List.copyOf(known.roles())).isEmpty())
                .sorted((one, other) -> one.id().compareToIgnoreCase(other.id()))
                .toList();
    }

    /** The names of everybody. */
    List<String> names() {
        return byName.values().stream().map(People.Known::id).sorted().toList();
    }

    /** Somebody who asks, with the roles they bring. */
    Actor actor(Caller caller) {
        return new Actor(
                new Person(caller.identity()),
                caller.roles().stream()
                        .filter(role -> !role.equals(Actor.SYSTEM) && !role.startsWith(Facts.SUCCESSOR_ROLE))
                        .sorted()
                        .toList());
    }
}
