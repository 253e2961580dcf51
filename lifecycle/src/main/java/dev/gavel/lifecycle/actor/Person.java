package dev.gavel.lifecycle.actor;

import java.util.Locale;

/**
 * A person identified by a login, compared without regard to case. The login is shown in the case in which it was first
 * given.
 */
public record Person(String login) implements PersonOrGroup {
    public Person {
        if (login.isBlank()) {
            throw new IllegalArgumentException("a person needs a login");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Person person && folded().equals(person.folded());
    }

    @Override
    public int hashCode() {
        return folded().hashCode();
    }

    @Override
    public String toString() {
        return login;
    }

    private String folded() {
        return login.toLowerCase(Locale.ROOT);
    }
}
