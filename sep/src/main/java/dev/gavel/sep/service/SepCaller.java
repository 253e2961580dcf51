package dev.gavel.sep.service;

import java.util.Set;

/** Somebody who asks something of the desk, as their credential says. Immutable. */
public record SepCaller(String identity, Set<String> roles) {
    public SepCaller {
        roles = Set.copyOf(roles);
    }
}
