package dev.gavel.lifecycle.actor;

import java.util.Locale;

/**
 * A person identified by a login, compared without regard to case. Logins that differ only in case are the same
 * person's; the first spelling is kept.
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
