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
 * @param tokens those made at run time, the oldest first; of those that ended only the last
 * @param revokedConfigTokens which of the configuration's tokens were revoked. One made at run time needs no such mark: it is refused
 *     as revoked, and later as unknown.
 * @param roleOverride its roles, where they were set
 * @param memberships by topic, what differs there from the configuration
 */
record RuntimeIdentityChanges(
        List<RegistryToken> tokens,
        Map<TokenHash, ChangeAttribution> revokedConfigTokens,
        Optional<RoleOverride> roleOverride,
        Map<String, MembershipOverride> memberships) {
    static final RuntimeIdentityChanges EMPTY =
            new RuntimeIdentityChanges(List.of(), Map.of(), Optional.empty(), Map.of());

    /** Tokens that ended are only shown: so many are kept for that when another is made. */
    static final int MAX_ENDED_TOKENS = 50;

    /** Roles that were set. */
    record RoleOverride(Set<String> roles, ChangeAttribution changeAttribution) {}

    /**
     * What was settled about a member of a topic.
     *
     * @param capabilitySet empty where they are no member
     */
    record MembershipOverride(Optional<CapabilitySet> capabilitySet, ChangeAttribution changeAttribution) {}

    /** Whether it was made at run time, be it that it is configured as well. */
    boolean hasRuntimeTokens() {
        return !tokens.isEmpty();
    }

    /**
     * What it is after a change.
     *
     * @param configured the tokens the configuration names, whoever has them
     */
    RuntimeIdentityChanges withChange(
            RegistryChange change, ChangeAttribution changeAttribution, Set<TokenHash> configured) {
        return switch (change) {
            case TokenCreated(var id, var hash, var expiresAt) ->
                withTokens(addToken(
                        new RegistryToken(id, hash, Optional.of(changeAttribution), expiresAt, Optional.empty()),
                        changeAttribution));
            case TokenRevoked(var id, var hash) ->
                new RuntimeIdentityChanges(
                        tokens.stream()
                                .map(token -> token.hash().equals(hash) ? token.revoked(changeAttribution) : token)
                                .toList(),
                        configured.contains(hash) ? addRevoked(hash, changeAttribution) : revokedConfigTokens,
                        roleOverride,
                        memberships);
            case RolesSet(var set) ->
                new RuntimeIdentityChanges(
                        tokens,
                        revokedConfigTokens,
                        Optional.of(new RoleOverride(set, changeAttribution)),
                        memberships);
            case MemberSet(var topic, var capabilitySet) ->
                with(topic, new MembershipOverride(Optional.of(capabilitySet), changeAttribution));
            case MemberRemoved(var topic) -> with(topic, new MembershipOverride(Optional.empty(), changeAttribution));
            case MemberReset(var topic) -> {
                Map<String, MembershipOverride> fewer = new LinkedHashMap<>(memberships);
                fewer.remove(topic);
                yield new RuntimeIdentityChanges(
                        tokens, revokedConfigTokens, roleOverride, Collections.unmodifiableMap(fewer));
            }
        };
    }

    private List<RegistryToken> addToken(RegistryToken token, ChangeAttribution changeAttribution) {
        List<RegistryToken> ended = tokens.stream()
                .filter(each -> !each.isActive(changeAttribution.at()))
                .toList();
        List<RegistryToken> more = new ArrayList<>(tokens);
        more.removeAll(ended.subList(0, Math.max(0, ended.size() - MAX_ENDED_TOKENS)));
        more.add(token);
        return List.copyOf(more);
    }

    private Map<TokenHash, ChangeAttribution> addRevoked(TokenHash hash, ChangeAttribution changeAttribution) {
        Map<TokenHash, ChangeAttribution> more = new LinkedHashMap<>(revokedConfigTokens);
        more.putIfAbsent(hash, changeAttribution);
        return Collections.unmodifiableMap(more);
    }

    private RuntimeIdentityChanges withTokens(List<RegistryToken> others) {
        return new RuntimeIdentityChanges(others, revokedConfigTokens, roleOverride, memberships);
    }

    private RuntimeIdentityChanges with(String topic, MembershipOverride membershipOverride) {
        Map<String, MembershipOverride> others = new LinkedHashMap<>(memberships);
        others.put(topic, membershipOverride);
        return new RuntimeIdentityChanges(
                tokens, revokedConfigTokens, roleOverride, Collections.unmodifiableMap(others));
    }
}
