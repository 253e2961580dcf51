package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.TokenHash;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A change that an admin requests: create or revoke tokens, set roles, or set, remove or reset a topic member. */
public sealed interface RegistryCommand {
    /** Whom it is about. */
    String name();

    /**
     * One more token for somebody, who need not have been there before.
     *
     * @param id what the token is to be called
     * @param topic where they are to be a member
     * @param capabilitySet what they may send there; nothing where they are a member and that is to stay
     * @param roles their roles from now on; nothing where they are to stay, or, where they have no token that is good,
     *     to be what the configuration says
     */
    record CreateToken(
            String name,
            String id,
            TokenHash hash,
            Optional<Duration> lifetime,
            Optional<String> topic,
            Optional<CapabilitySet> capabilitySet,
            Optional<Set<String>> roles)
            implements RegistryCommand {}

    /** No token of theirs is to be good any more, or one is not. */
    record RevokeTokens(String name, Optional<String> id) implements RegistryCommand {}

    /** These are to be their roles. */
    record SetRoles(String name, Set<String> roles) implements RegistryCommand {
        public SetRoles {
            roles = Set.copyOf(roles);
        }
    }

    /** They are to be a member of a topic, who may send this. */
    record SetMember(String topic, String name, CapabilitySet capabilitySet) implements RegistryCommand {}

    /** They are to be no member of a topic. */
    record RemoveMember(String topic, String name) implements RegistryCommand {}

    /** In a topic they are to be what the configuration says. */
    record ResetMember(String topic, String name) implements RegistryCommand {}
}
