package dev.gavel.sep.service;

import java.util.Set;

/** The identity that calls the SEP service, with the roles that its credential gives it. Immutable. */
public record SepCaller(String identity, Set<String> roles) {
    public SepCaller {
        roles = Set.copyOf(roles);
    }
}
