package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryChange.MemberRemoved;
import dev.gavel.web.registry.RegistryChange.MemberReset;
import dev.gavel.web.registry.RegistryChange.MemberSet;
import dev.gavel.web.registry.RegistryChange.RolesSet;
import dev.gavel.web.registry.RegistryChange.TokenCreated;
import dev.gavel.web.registry.RegistryChange.TokenRevoked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that admins changed about one identity at run time: tokens, revocations, roles and topic memberships.
 * Immutable.
 *
 * @param tokens the tokens created at run time, the oldest first; of the expired or revoked ones only the latest
 * @param revokedConfigTokens the revoked tokens of the configuration. A token created at run time needs no entry: it is
 *     refused as revoked, and later, when it is no longer stored, as unknown.
 * @param roleOverride the identity's roles, if they were set
 * @param memberships differences from the configured memberships, by topic
 */
record IdentityOverrides(
        List<RegistryToken> tokens,
        Map<TokenHash, ChangeAttribution> revokedConfigTokens,
        Optional<RoleOverride> roleOverride,
        Map<String, MembershipOverride> memberships) {
    static final IdentityOverrides EMPTY = new IdentityOverrides(List.of(), Map.of(), Optional.empty(), Map.of());

    /** How many expired or revoked tokens stay when another token is created. They are only listed. */
    static final int MAX_ENDED_TOKENS = 50;

    /** Roles that an admin set. */
    record RoleOverride(Set<String> roles, ChangeAttribution changeAttribution) {}

    /**
     * A membership that an admin changed.
     *
     * @param capabilitySet empty if the identity was removed from the topic
     */
    record MembershipOverride(Optional<CapabilitySet> capabilitySet, ChangeAttribution changeAttribution) {}

    /** Whether the identity has tokens created at run time; it may also be in the configuration. */
    boolean hasRuntimeTokens() {
        return !tokens.isEmpty();
    }

    /**
     * Returns a copy with a change applied.
     *
     * @param configured the tokens of all identities in the configuration
     */
    IdentityOverrides withChange(
            RegistryChange change, ChangeAttribution changeAttribution, Set<TokenHash> configured) {
        return switch (change) {
            case TokenCreated(var id, var hash, var expiresAt) ->
                withTokens(addToken(
                        new RegistryToken(id, hash, Optional.of(changeAttribution), expiresAt, Optional.empty()),
                        changeAttribution));
            case TokenRevoked(var id, var hash) ->
                new IdentityOverrides(
                        tokens.stream()
                                .map(token -> token.hash().equals(hash) ? token.revoked(changeAttribution) : token)
                                .toList(),
                        configured.contains(hash) ? addRevoked(hash, changeAttribution) : revokedConfigTokens,
                        roleOverride,
                        memberships);
            case RolesSet(var roles) ->
                new IdentityOverrides(
                        tokens,
                        revokedConfigTokens,
                        Optional.of(new RoleOverride(roles, changeAttribution)),
                        memberships);
            case MemberSet(var topic, var capabilitySet) ->
                with(topic, new MembershipOverride(Optional.of(capabilitySet), changeAttribution));
            case MemberRemoved(var topic) -> with(topic, new MembershipOverride(Optional.empty(), changeAttribution));
            case MemberReset(var topic) -> {
                Map<String, MembershipOverride> remaining = new LinkedHashMap<>(memberships);
                remaining.remove(topic);
                yield new IdentityOverrides(
                        tokens, revokedConfigTokens, roleOverride, Collections.unmodifiableMap(remaining));
            }
        };
    }

    private List<RegistryToken> addToken(RegistryToken token, ChangeAttribution changeAttribution) {
        List<RegistryToken> ended = tokens.stream()
                .filter(each -> !each.isActive(changeAttribution.at()))
                .toList();
        List<RegistryToken> updated = new ArrayList<>(tokens);
        updated.removeAll(ended.subList(0, Math.max(0, ended.size() - MAX_ENDED_TOKENS)));
        updated.add(token);
        return List.copyOf(updated);
    }

    private Map<TokenHash, ChangeAttribution> addRevoked(TokenHash hash, ChangeAttribution changeAttribution) {
        Map<TokenHash, ChangeAttribution> updated = new LinkedHashMap<>(revokedConfigTokens);
        updated.putIfAbsent(hash, changeAttribution);
        return Collections.unmodifiableMap(updated);
    }

    private IdentityOverrides withTokens(List<RegistryToken> updated) {
        return new IdentityOverrides(updated, revokedConfigTokens, roleOverride, memberships);
    }

    private IdentityOverrides with(String topic, MembershipOverride membershipOverride) {
        Map<String, MembershipOverride> updated = new LinkedHashMap<>(memberships);
        updated.put(topic, membershipOverride);
        return new IdentityOverrides(tokens, revokedConfigTokens, roleOverride, Collections.unmodifiableMap(updated));
    }
}
