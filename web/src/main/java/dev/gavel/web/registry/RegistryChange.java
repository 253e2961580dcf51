package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.TokenHash;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One recorded change to an identity: a token created or revoked, roles set, or a topic membership set, removed or
 * reset. The ledger event that holds it names the identity, the admin and the time.
 */
public sealed interface RegistryChange {
    /** The identity has one more token. */
    record TokenCreated(String id, TokenHash hash, Optional<Instant> expiresAt) implements RegistryChange {}

    /** A token is refused for good. */
    record TokenRevoked(String id, TokenHash hash) implements RegistryChange {}

    /** The identity has these roles, whatever the configuration says. */
    record RolesSet(Set<String> roles) implements RegistryChange {
        public RolesSet {
            roles = Set.copyOf(roles);
        }
    }

    /** The identity is a member of a topic with these capabilities, whatever the configuration says. */
    record MemberSet(String topic, CapabilitySet capabilitySet) implements RegistryChange {}

    /** The identity is not a member of a topic, whatever the configuration says. */
    record MemberRemoved(String topic) implements RegistryChange {}

    /** The identity's membership in a topic is again as configured. */
    record MemberReset(String topic) implements RegistryChange {}

    /**
     * Describes the change for the log.
     *
     * @param name the identity that was changed
     */
    default String describe(String name) {
        return switch (this) {
            case TokenCreated(String id, var _, Optional<Instant> expiresAt) ->
                "created token " + id + " for '" + name + "'"
                        + expiresAt.map(end -> ", valid until " + end).orElse("");
            case TokenRevoked(String id, var _) -> "revoked token " + id + " of '" + name + "'";
            case RolesSet(Set<String> roles) -> "set the roles of '" + name + "' to " + new TreeSet<>(roles);
            case MemberSet(String topic, CapabilitySet capabilitySet) -> {
                int count = capabilitySet.asList().size();
                yield "set the capabilities of '" + name + "' in '" + topic + "': "
                        + (count == 1 ? "one capability" : count + " capabilities");
            }
            case MemberRemoved(String topic) -> "removed '" + name + "' from '" + topic + "'";
            case MemberReset(String topic) -> "reset '" + name + "' in '" + topic + "' to the configuration";
        };
    }
}
