package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Person;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who holds which role in a proposal.
 *
 * @param byRole the holders of each role, the first being the one whose it is
 * @param left when each role was last left by somebody
 */
public record Holders(Map<String, List<Holder>> byRole, Map<String, Instant> left) {
    static final Holders NONE = new Holders(Map.of(), Map.of());

    /** A person who holds a role, and since when. */
    public record Holder(Person person, Instant since) {}

    public Holders {
        byRole = Map.copyOf(byRole);
        left = Map.copyOf(left);
    }

    /** The holders of a role, in order. */
    public List<Holder> of(String role) {
        return byRole.getOrDefault(role, List.of());
    }

    /** The people who hold a role, in order. */
    public List<Person> people(String role) {
        return of(role).stream().map(Holder::person).toList();
    }

    /** Whether a person holds a role. */
    public boolean holds(Person person, String role) {
        return people(role).contains(person);
    }

    /** When somebody last left a role. */
    public Optional<Instant> lastLeft(String role) {
        return Optional.ofNullable(left.get(role));
    }

    Holders after(Event event) {
        return switch (event) {
            case Event.Submitted e -> {
                Holders holders = this;
                for (Person person : e.people()) {
                    holders = holders.joined(e.role(), person, e.at());
                }
                yield holders;
            }
            case Event.RoleTaken e -> joined(e.role(), e.person(), e.at());
            case Event.RoleLeft e -> parted(e.role(), e.person(), e.at());
            case Event.Transferred e -> transferred(e);
            default -> this;
        };
    }

    private Holders joined(String role, Person person, Instant at) {
        return holds(person, role) ? this : with(role, appended(of(role), new Holder(person, at)), left);
    }

    private Holders parted(String role, Person person, Instant at) {
        Map<String, Instant> parted = new HashMap<>(left);
        parted.put(role, at);
        return with(
                role,
                of(role).stream()
                        .filter(holder -> !holder.person().equals(person))
                        .toList(),
                parted);
    }

    private Holders transferred(Event.Transferred e) {
        Holder heir = of(e.role()).stream()
                .filter(holder -> holder.person().equals(e.to()))
                .findFirst()
                .orElse(new Holder(e.to(), e.at()));
        List<Holder> now = new ArrayList<>();
        for (Holder holder : of(e.role())) {
            if (holder.person().equals(e.from())) {
                now.add(heir);
            } else if (!holder.person().equals(e.to())) {
                now.add(holder);
            }
        }
        if (e.stays()) {
            of(e.role()).stream()
                    .filter(holder -> holder.person().equals(e.from()))
                    .forEach(now::add);
        }
        return with(e.role(), now, left);
    }

    private Holders with(String role, List<Holder> holders, Map<String, Instant> parted) {
        Map<String, List<Holder>> all = new HashMap<>(byRole);
        all.put(role, List.copyOf(holders));
        return new Holders(all, parted);
    }

    private static List<Holder> appended(List<Holder> holders, Holder last) {
        List<Holder> all = new ArrayList<>(holders);
        all.add(last);
        return all;
    }
}
