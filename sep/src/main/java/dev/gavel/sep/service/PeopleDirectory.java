package dev.gavel.sep.service;

import java.util.List;
import java.util.Set;

/** Lists the people that the server knows, with their roles and their account names on other sites. Thread-safe. */
@FunctionalInterface
public interface PeopleDirectory {
    /** Everybody, in no particular order. */
    List<KnownPerson> listAll();

    /**
     * Somebody.
     *
     * @param id what envelopes and the ledger call them
     * @param name how people call them
     * @param handles what they are called elsewhere, with or without the sign before it
     */
    record KnownPerson(String id, String name, Set<String> roles, List<String> handles) {
        public KnownPerson {
            roles = Set.copyOf(roles);
            handles = List.copyOf(handles);
        }
    }
}
