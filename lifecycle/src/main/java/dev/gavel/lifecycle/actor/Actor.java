package dev.gavel.lifecycle.actor;

import java.util.List;

/**
 * A person who gives a command, with the roles from that person's credential; the system is an actor too. Roles held in
 * one proposal are not among them: those the history knows.
 */
public record Actor(Person person, List<String> roles) {
    /** The role of the process's own sweeps. */
    public static final String SYSTEM = "system";

    public Actor {
        roles = roles.stream().distinct().toList();
    }

    /** Somebody who brings these roles. */
    public static Actor of(String login, String... roles) {
        return new Actor(new Person(login), List.of(roles));
    }

    /** What makes the moves and sends the pings that are due. */
    public static Actor system() {
        return of(SYSTEM, SYSTEM);
    }

    /** Whether this is nobody but the process itself. */
    public boolean isSystem() {
        return roles.contains(SYSTEM);
    }
}
