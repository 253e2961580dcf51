package dev.gavel.web.identity;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A person, agent or MCP server known to Gavel, with its roles, handles and configured token hash.
 *
 * @param id the name in envelopes
 * @param name the name for people; the id if none is configured
 * @param token the hash of the configured token; an identity without a token cannot sign in
 */
public record Identity(String id, String name, Set<String> roles, List<String> handles, Optional<TokenHash> token) {
    /** The role that may change identities and topics; all other roles are those of the SEP process. */
    public static final String ADMIN = "admin";

    /** The id of the SEP service in a topic. It is part of the program, so no other identity may have this id. */
    public static final String SEP_SERVICE = "sep-desk";

    public Identity {
        roles = Set.copyOf(roles);
        handles = List.copyOf(handles);
    }
}
