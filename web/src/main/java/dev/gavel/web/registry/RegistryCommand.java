package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.TokenHash;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A change that an admin requests: create or revoke tokens, set roles, or set, remove or reset a topic member. */
public sealed interface RegistryCommand {
    /** The id of the identity to change. */
    String name();

    /**
     * Creates one more token for an identity, which need not exist before.
     *
     * @param id the id of the new token
     * @param topic a topic that the identity becomes a member of
     * @param capabilitySet what the identity may send in the topic; empty to leave an existing membership unchanged
     * @param roles the identity's new roles; empty to leave them unchanged, or, if the identity has no valid token, to
     *     set them to the configured ones
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

    /**
     * Revokes one token of an identity, or all of them.
     *
     * @param id the token; empty for all
     */
    record RevokeTokens(String name, Optional<String> id) implements RegistryCommand {}

    /** Sets an identity's roles. */
    record SetRoles(String name, Set<String> roles) implements RegistryCommand {
        public SetRoles {
            roles = Set.copyOf(roles);
        }
    }

    /** Makes an identity a member of a topic with these capabilities. */
    record SetMember(String topic, String name, CapabilitySet capabilitySet) implements RegistryCommand {}

    /** Removes an identity from a topic. */
    record RemoveMember(String topic, String name) implements RegistryCommand {}

    /** Resets an identity's membership in a topic to the configuration. */
    record ResetMember(String topic, String name) implements RegistryCommand {}
}
