package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/** Lists the people that the server knows, with their roles and their account names on other sites. Thread-safe. */
@FunctionalInterface
public interface PeopleDirectory {
    /** Returns all people, in no particular order. */
    List<KnownPerson> listAll();

    /**
     * Returns all people as the ledger knows them now. A change of tokens or roles that another process wrote counts,
     * even if it is not in effect in this process yet.
     *
     * @param identityEventsAfter returns the events of the ledger's identity stream after a seq
     */
    default List<KnownPerson> listAll(LongFunction<List<LedgerEvent>> identityEventsAfter) {
        return listAll();
    }

    /**
     * A person known to the server.
     *
     * @param id the identity that envelopes and the ledger use
     * @param name the display name
     * @param roles the roles; empty if the person has no valid token
     * @param handles the account names on other sites, with or without the leading {@code @}
     * @param active whether the person has a valid token, and so can act
     */
    record KnownPerson(String id, String name, Set<String> roles, List<String> handles, boolean active) {
        public KnownPerson {
            roles = active ? Set.copyOf(roles) : Set.of();
            handles = List.copyOf(handles);
        }

        /** Creates an active person. */
        public KnownPerson(String id, String name, Set<String> roles, List<String> handles) {
            this(id, name, roles, handles, true);
        }
    }
}
