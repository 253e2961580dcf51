package dev.gavel.web.identity;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A person, agent or MCP server known to Gavel, with its roles, handles and configured token hash.
 *
 * @param id what envelopes call it
 * @param name how people call it; its id where nobody said otherwise
 * @param token the proof of being it; one without cannot sign in
 */
public record Identity(String id, String name, Set<String> roles, List<String> handles, Optional<TokenHash> token) {
    /** The role of whoever may change identities and topics; all others are those of the SEP process. */
    public static final String ADMIN = "admin";

    /** The SEP desk, as a topic knows it: part of the program, so nobody else has that name. */
    public static final String SEP_SERVICE = "sep-desk";

    public Identity {
        roles = Set.copyOf(roles);
        handles = List.copyOf(handles);
    }
}
