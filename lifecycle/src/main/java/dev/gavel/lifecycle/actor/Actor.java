package dev.gavel.lifecycle.actor;

import java.util.List;

/**
 * The author of a command: a person with the roles from the person's credential, or the system when an automatic action
 * is due. Roles held in a single proposal are not included; the proposal's history records them.
 */
public record Actor(Person person, List<String> roles) {
    /** The role of the process itself when it performs clock actions. */
    public static final String SYSTEM = "system";

    public Actor {
        roles = roles.stream().distinct().toList();
    }

    /** Returns an actor with these roles. */
    public static Actor of(String login, String... roles) {
        return new Actor(new Person(login), List.of(roles));
    }

    /** Returns the system actor, which makes the automatic moves and sends the reminders that are due. */
    public static Actor system() {
        return of(SYSTEM, SYSTEM);
    }

    /** Whether this is the system actor. */
    public boolean isSystem() {
        return roles.contains(SYSTEM);
    }
}
