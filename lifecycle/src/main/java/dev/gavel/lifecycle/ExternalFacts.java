package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The facts outside a specification proposal's history that the caller supplies: members of each role, and facts the
 * process names.
 *
 * @param members the people who bring each role; a role left out is one of which that is not known
 * @param facts the facts the process names; one left out does not hold
 */
public record ExternalFacts(Map<String, List<Person>> members, Map<String, Fact> facts) {
    /**
     * Whether a fact holds.
     *
     * @param detail what is wrong where it does not; may be empty
     */
    public record Fact(boolean holds, String detail) {}

    public ExternalFacts {
        members = Map.copyOf(members);
        facts = Map.copyOf(facts);
    }

    /** Nothing is known. */
    public static ExternalFacts none() {
        return new ExternalFacts(Map.of(), Map.of());
    }

    /** These, and the people who bring a role. */
    public ExternalFacts withMembers(String role, String... logins) {
        Map<String, List<Person>> all = new HashMap<>(members);
        all.put(role, List.of(logins).stream().map(Person::new).toList());
        return new ExternalFacts(all, facts);
    }

    /** These, and a fact that holds. */
    public ExternalFacts withFact(String name) {
        return with(name, new Fact(true, ""));
    }

    /** These, and a fact that does not hold, with what is wrong. */
    public ExternalFacts withUnmetFact(String name, String detail) {
        return with(name, new Fact(false, detail));
    }

    private ExternalFacts with(String name, Fact fact) {
        Map<String, Fact> all = new HashMap<>(facts);
        all.put(name, fact);
        return new ExternalFacts(members, all);
    }
}
