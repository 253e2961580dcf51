package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records who holds which role in a specification proposal, and since when.
 *
 * @param byRole the holders of each role, the main one first
 * @param leftAt when a holder last left each role, or could no longer act in it
 */
public record RoleHolders(Map<String, List<Holder>> byRole, Map<String, Instant> leftAt) {
    static final RoleHolders NONE = new RoleHolders(Map.of(), Map.of());

    /**
     * A person who holds a role, and since when.
     *
     * @param lapsedAt when it was last recorded that the person can no longer act in the role
     */
    public record Holder(Person person, Instant since, Optional<Instant> lapsedAt) {
        Holder(Person person, Instant since) {
            this(person, since, Optional.empty());
        }
    }

    public RoleHolders {
        byRole = Map.copyOf(byRole);
        leftAt = Map.copyOf(leftAt);
    }

    /** The holders of a role, the main one first. */
    public List<Holder> holders(String role) {
        return byRole.getOrDefault(role, List.of());
    }

    /** The people who hold a role, the main one first. */
    public List<Person> people(String role) {
        return holders(role).stream().map(Holder::person).toList();
    }

    public boolean holds(Person person, String role) {
        return people(role).contains(person);
    }

    /** When a holder last left a role, or could no longer act in it. */
    public Optional<Instant> lastLeft(String role) {
        return Optional.ofNullable(leftAt.get(role));
    }

    RoleHolders apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Submitted e -> {
                RoleHolders holders = this;
                for (Person person : e.people()) {
                    holders = holders.withHolder(e.role(), person, e.at());
                }
                yield holders;
            }
            case LifecycleEvent.RoleTaken e -> withHolder(e.role(), e.person(), e.at());
            case LifecycleEvent.RoleLeft e -> withoutHolder(e.role(), e.person(), e.at());
            case LifecycleEvent.RoleLapsed e -> withLapse(e);
            case LifecycleEvent.RoleTransferred e -> withTransfer(e);
            default -> this;
        };
    }

    private RoleHolders withHolder(String role, Person person, Instant at) {
        return holds(person, role) ? this : withHolders(role, append(holders(role), new Holder(person, at)), leftAt);
    }

    private RoleHolders withoutHolder(String role, Person person, Instant at) {
        return withHolders(
                role,
                holders(role).stream()
                        .filter(holder -> !holder.person().equals(person))
                        .toList(),
                withLeftAt(role, at));
    }

    private RoleHolders withLapse(LifecycleEvent.RoleLapsed e) {
        return withHolders(
                e.role(),
                holders(e.role()).stream()
                        .map(holder -> holder.person().equals(e.person())
                                ? new Holder(holder.person(), holder.since(), Optional.of(e.at()))
                                : holder)
                        .toList(),
                withLeftAt(e.role(), e.at()));
    }

    private Map<String, Instant> withLeftAt(String role, Instant at) {
        Map<String, Instant> newLeftAt = new HashMap<>(leftAt);
        newLeftAt.put(role, at);
        return newLeftAt;
    }

    private RoleHolders withTransfer(LifecycleEvent.RoleTransferred e) {
        Holder newHolder = holders(e.role()).stream()
                .filter(holder -> holder.person().equals(e.to()))
                .findFirst()
                .orElse(new Holder(e.to(), e.at()));
        List<Holder> updatedHolders = new ArrayList<>();
        for (Holder holder : holders(e.role())) {
            if (holder.person().equals(e.from())) {
                updatedHolders.add(newHolder);
            } else if (!holder.person().equals(e.to())) {
                updatedHolders.add(holder);
            }
        }
        if (e.keepsRole()) {
            holders(e.role()).stream()
                    .filter(holder -> holder.person().equals(e.from()))
                    .forEach(updatedHolders::add);
        }
        return withHolders(e.role(), updatedHolders, leftAt);
    }

    private RoleHolders withHolders(String role, List<Holder> holders, Map<String, Instant> newLeftAt) {
        Map<String, List<Holder>> all = new HashMap<>(byRole);
        all.put(role, List.copyOf(holders));
        return new RoleHolders(all, newLeftAt);
    }

    private static List<Holder> append(List<Holder> holders, Holder last) {
        List<Holder> all = new ArrayList<>(holders);
        all.add(last);
        return all;
    }
}
