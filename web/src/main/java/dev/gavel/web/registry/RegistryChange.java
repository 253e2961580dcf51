package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.TokenHash;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One recorded change to an identity: a token created or revoked, roles set, or a topic membership set, removed or
 * reset. To whom, by whom and when stands beside it.
 */
public sealed interface RegistryChange {
    /** It has one more token. */
    record TokenCreated(String id, TokenHash hash, Optional<Instant> expiresAt) implements RegistryChange {}

    /** A token is refused for good. */
    record TokenRevoked(String id, TokenHash hash) implements RegistryChange {}

    /** These are its roles, whatever the configuration says. */
    record RolesSet(Set<String> roles) implements RegistryChange {
        public RolesSet {
            roles = Set.copyOf(roles);
        }
    }

    /** This is what it may send in a topic, whatever the configuration says. */
    record MemberSet(String topic, CapabilitySet capabilitySet) implements RegistryChange {}

    /** It is no member of a topic, whatever the configuration says. */
    record MemberRemoved(String topic) implements RegistryChange {}

    /** In a topic it is again what the configuration says. */
    record MemberReset(String topic) implements RegistryChange {}

    /** What happened to somebody, as a log says it. */
    default String describe(String name) {
        return switch (this) {
            case TokenCreated(String id, var _, Optional<Instant> expiresAt) ->
                "made token " + id + " for '" + name + "'"
                        + expiresAt.map(end -> ", good until " + end).orElse("");
            case TokenRevoked(String id, var _) -> "revoked token " + id + " of '" + name + "'";
            case RolesSet(Set<String> roles) -> "set the roles of '" + name + "' to " + new TreeSet<>(roles);
            case MemberSet(String topic, CapabilitySet capabilitySet) -> {
                int count = capabilitySet.asList().size();
                yield "set what '" + name + "' may send in '" + topic + "': "
                        + (count == 1 ? "one capability" : count + " capabilities");
            }
            case MemberRemoved(String topic) -> "took '" + name + "' out of '" + topic + "'";
            case MemberReset(String topic) ->
                "let '" + name + "' be again what the configuration says in '" + topic + "'";
        };
    }
}
