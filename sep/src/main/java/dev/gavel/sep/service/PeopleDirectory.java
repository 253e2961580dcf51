package dev.gavel.sep.service;

import java.util.List;
import java.util.Set;

/** Lists the people that the server knows, with their roles and their account names on other sites. Thread-safe. */
@FunctionalInterface
public interface PeopleDirectory {
    /** Returns all people, in no particular order. */
    List<KnownPerson> listAll();

    /**
     * A person known to the server.
     *
     * @param id the identity that envelopes and the ledger use
     * @param name the display name
     * @param handles the account names on other sites, with or without the leading {@code @}
     */
    record KnownPerson(String id, String name, Set<String> roles, List<String> handles) {
        public KnownPerson {
            roles = Set.copyOf(roles);
            handles = List.copyOf(handles);
        }
    }
}
