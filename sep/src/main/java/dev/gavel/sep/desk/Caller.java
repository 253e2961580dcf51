package dev.gavel.sep.desk;

import java.util.Set;

/** Somebody who asks something of the desk, as their credential says. Immutable. */
public record Caller(String identity, Set<String> roles) {
    public Caller {
        roles = Set.copyOf(roles);
    }
}
