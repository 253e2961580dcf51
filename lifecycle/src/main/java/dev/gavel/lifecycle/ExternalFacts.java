package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Facts that the lifecycle engine needs from outside a specification proposal's history: who has each role, which
 * conditions named in the process hold, and what people are called.
 *
 * @param membersByRole the people who have each actor role; the members of an absent role are unknown
 * @param facts the facts that the process names; an absent fact does not hold
 * @param names the names that texts use for people; an absent person is called by the login
 */
public record ExternalFacts(
        Map<String, List<Person>> membersByRole, Map<String, Fact> facts, Map<Person, String> names) {
    /**
     * Whether a fact holds.
     *
     * @param detail why the fact does not hold, as a clause such as "the title is missing"; may be empty
     */
    public record Fact(boolean holds, String detail) {}

    public ExternalFacts {
        membersByRole = Map.copyOf(membersByRole);
        facts = Map.copyOf(facts);
        names = Map.copyOf(names);
    }

    /** Returns no facts: all members are unknown and no fact holds. */
    public static ExternalFacts none() {
        return new ExternalFacts(Map.of(), Map.of(), Map.of());
    }

    /** Returns the name that texts use for a person. */
    public String nameOf(Person person) {
        return names.getOrDefault(person, person.login());
    }

    /** Returns a copy with the members of a role. */
    public ExternalFacts withMembers(String role, String... logins) {
        Map<String, List<Person>> all = new HashMap<>(membersByRole);
        all.put(role, List.of(logins).stream().map(Person::new).toList());
        return new ExternalFacts(all, facts, names);
    }

    /** Returns a copy with a fact that holds. */
    public ExternalFacts withFact(String name) {
        return with(name, new Fact(true, ""));
    }

    /** Returns a copy with a fact that does not hold, and the reason. */
    public ExternalFacts withUnmetFact(String name, String detail) {
        return with(name, new Fact(false, detail));
    }

    /** Returns a copy with the names that texts use for people. */
    public ExternalFacts withNames(Map<Person, String> names) {
        return new ExternalFacts(membersByRole, facts, names);
    }

    private ExternalFacts with(String name, Fact fact) {
        Map<String, Fact> all = new HashMap<>(facts);
        all.put(name, fact);
        return new ExternalFacts(membersByRole, all, names);
    }
}
