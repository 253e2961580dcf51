package dev.gavel.web.registry;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.RegistryChange.MemberRemoved;
import dev.gavel.web.registry.RegistryChange.MemberReset;
import dev.gavel.web.registry.RegistryChange.MemberSet;
import dev.gavel.web.registry.RegistryChange.RolesSet;
import dev.gavel.web.registry.RegistryChange.TokenCreated;
import dev.gavel.web.registry.RegistryChange.TokenRevoked;
import dev.gavel.web.registry.RegistryCommand.CreateToken;
import dev.gavel.web.registry.RegistryCommand.RemoveMember;
import dev.gavel.web.registry.RegistryCommand.ResetMember;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import dev.gavel.web.registry.RegistryCommand.SetMember;
import dev.gavel.web.registry.RegistryCommand.SetRoles;
import dev.gavel.web.registry.RegistryDecisionResult.Changed;
import dev.gavel.web.registry.RegistryDecisionResult.Reason;
import dev.gavel.web.registry.RegistryDecisionResult.Refused;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides whether an admin's command is allowed and which changes to tokens, roles and members it causes, without
 * storing them.
 *
 * @param actor the id of the admin
 */
record RegistryCommandDecider(RegistrySnapshot snapshot, String actor, Instant now) {
    static final int MAX_IDENTITIES = 10_000;
    static final int MAX_TOKENS = 100;

    RegistryDecisionResult decide(RegistryCommand command) {
        if (!snapshot.isAdmin(actor)) {
            return refuse(Reason.NOT_ADMIN, "'" + actor + "' does not have the role admin");
        }
        RegistryDecisionResult registryDecisionResult = switch (command) {
            case CreateToken create -> create(create);
            case RevokeTokens(String name, Optional<String> id) ->
                snapshot.contains(name)
                        ? id.map(tokenId -> revoke(name, tokenId)).orElseGet(() -> revoke(name))
                        : unknownIdentity(name);
            case SetRoles(String name, Set<String> roles) ->
                snapshot.contains(name) ? new Changed(roleChanges(name, roles)) : unknownIdentity(name);
            case SetMember(String topic, String name, CapabilitySet capabilitySet) ->
                withTopicAndIdentity(topic, name, () -> new Changed(memberChanges(topic, name, capabilitySet)));
            case RemoveMember(String topic, String name) ->
                snapshot.hasTopic(topic) ? remove(topic, name) : noSuchTopic(topic);
            case ResetMember(String topic, String name) ->
                withTopicAndIdentity(
                        topic,
                        name,
                        () -> new Changed(
                                snapshot.hasMembershipOverride(topic, name)
                                        ? List.of(new MemberReset(topic))
                                        : List.of()));
        };
        return registryDecisionResult instanceof Changed(List<RegistryChange> changes)
                        && removesLastAdmin(command.name(), changes)
                ? refuse(
                        Reason.LAST_ADMIN,
                        "no admin would have a valid token that does not expire; first create such a token for another"
                                + " admin")
                : registryDecisionResult;
    }

    /**
     * Whether the changes leave no admin with a valid token. If an admin had a token that does not expire, one must
     * remain: a token that expires would only postpone the loss.
     */
    private boolean removesLastAdmin(String name, List<RegistryChange> changes) {
        RegistrySnapshot after = snapshot.apply(name, changes, new ChangeAttribution(actor, now));
        return snapshot.hasPermanentAdmin(now)
                ? !after.hasPermanentAdmin(now)
                : snapshot.hasAdmin(now) && !after.hasAdmin(now);
    }

    private RegistryDecisionResult create(CreateToken create) {
        String name = create.name();
        if (snapshot.isOwnParticipant(name)) {
            return refuse(
                    Reason.BRIDGED,
                    "'" + name
                            + "' is part of this server and needs no token; a program with a token of this name would"
                            + " run its calls a second time. Use another name");
        }
        Optional<String> namesake = snapshot.contains(name) ? Optional.empty() : namesake(name);
        if (namesake.isPresent()) {
            return refuse(
                    Reason.NAME_TAKEN,
                    "'" + name + "' is too similar to the identity '" + namesake.get()
                            + "': the id or a handle of that identity differs from it at most in case. Use another"
                            + " name");
        }
        if (!snapshot.contains(name) && snapshot.names().size() >= MAX_IDENTITIES) {
            return refuse(
                    Reason.TOO_MANY,
                    "the maximum of " + MAX_IDENTITIES + " identities is reached; use an existing name");
        }
        if (snapshot.tokens(name).stream().filter(token -> token.isActive(now)).count() >= MAX_TOKENS) {
            return refuse(
                    Reason.TOO_MANY,
                    "'" + name + "' already has the maximum of " + MAX_TOKENS + " valid tokens; revoke some");
        }
        List<RegistryChange> changes = new ArrayList<>();
        changes.add(
                new TokenCreated(create.id(), create.hash(), create.lifetime().map(this::expiryAfter)));
        boolean reused = isReusedName(name);
        create.roles()
                .or(() -> reused ? Optional.of(configuredRoles(name)) : Optional.empty())
                .ifPresent(roles -> changes.addAll(roleChanges(name, roles)));
        boolean reusedUnconfigured = reused && snapshot.configuredIdentity(name).isEmpty();
        if (reusedUnconfigured) {
            snapshot.runtimeChanges(name).memberships().keySet().forEach(topic -> changes.add(new MemberReset(topic)));
        }
        if (create.topic().isPresent()) {
            String topic = create.topic().get();
            if (!snapshot.hasTopic(topic)) {
                return noSuchTopic(topic);
            }
            if (create.capabilitySet().isEmpty()
                    && (reusedUnconfigured || snapshot.capabilities(topic, name).isEmpty())) {
                return refuse(
                        Reason.BAD_CAPABILITY,
                        "'" + name + "' is not a member of '" + topic + "': set 'capabilities' to add it");
            }
            create.capabilitySet()
                    .ifPresent(capabilitySet -> changes.addAll(
                            reusedUnconfigured
                                    ? List.of(new MemberSet(topic, capabilitySet))
                                    : memberChanges(topic, name, capabilitySet)));
        }
        return new Changed(changes);
    }

    /** Returns an identity that documents and people would confuse with a new one of this name. */
    private Optional<String> namesake(String name) {
        return snapshot.names().stream()
                .filter(other -> other.equalsIgnoreCase(name)
                        || snapshot.identity(other).handles().stream()
                                .anyMatch(
                                        handle -> handle.equalsIgnoreCase(name) || handle.equalsIgnoreCase("@" + name)))
                .findFirst();
    }

    /**
     * Whether the name belongs to an identity without a valid token, so that a new owner of the name must not get what
     * the former owner left. A configured identity that never had a token is only waiting for its first one and does
     * not count.
     */
    private boolean isReusedName(String name) {
        List<RegistryToken> tokens = snapshot.tokens(name);
        return tokens.stream().noneMatch(token -> token.isActive(now))
                && !(tokens.isEmpty() && snapshot.configuredIdentity(name).isPresent());
    }

    private Set<String> configuredRoles(String name) {
        return snapshot.configuredIdentity(name).map(Identity::roles).orElse(Set.of());
    }

    private List<RegistryChange> roleChanges(String name, Set<String> roles) {
        return roles.equals(snapshot.roles(name)) ? List.of() : List.of(new RolesSet(roles));
    }

    /** Truncated to milliseconds: more digits of a time that is months away only disturb the reader. */
    private Instant expiryAfter(Duration lifetime) {
        return now.plus(lifetime).truncatedTo(ChronoUnit.MILLIS);
    }

    private RegistryDecisionResult revoke(String name) {
        List<RegistryToken> tokens = snapshot.tokens(name);
        List<RegistryChange> changes = tokens.stream()
                .filter(token -> token.isActive(now))
                .<RegistryChange>map(token -> new TokenRevoked(token.id(), token.hash()))
                .toList();
        if (tokens.isEmpty()) {
            return refuse(Reason.UNKNOWN_TOKEN, "'" + name + "' has no token");
        }
        return changes.isEmpty()
                ? refuse(Reason.ALREADY_REVOKED, "'" + name + "' has no valid token")
                : new Changed(changes);
    }

    private RegistryDecisionResult revoke(String name, String id) {
        Optional<RegistryToken> found = snapshot.tokens(name).stream()
                .filter(token -> token.id().equals(id))
                .findFirst();
        if (found.isEmpty()) {
            return refuse(Reason.UNKNOWN_TOKEN, "'" + name + "' has no token with this ID");
        }
        RegistryToken token = found.get();
        return token.isActive(now)
                ? new Changed(List.of(new TokenRevoked(token.id(), token.hash())))
                : refuse(
                        Reason.ALREADY_REVOKED,
                        "this token of '" + name + "' is already "
                                + token.state(now).word());
    }

    private RegistryDecisionResult withTopicAndIdentity(
            String topic, String name, Supplier<RegistryDecisionResult> decision) {
        if (!snapshot.hasTopic(topic)) {
            return noSuchTopic(topic);
        }
        return snapshot.contains(name) ? decision.get() : unknownIdentity(name);
    }

    private List<RegistryChange> memberChanges(String topic, String name, CapabilitySet capabilitySet) {
        boolean unchanged = snapshot.hasMembershipOverride(topic, name)
                && snapshot.capabilities(topic, name)
                        .filter(capabilitySet::equals)
                        .isPresent();
        return unchanged ? List.of() : List.of(new MemberSet(topic, capabilitySet));
    }

    private RegistryDecisionResult remove(String topic, String name) {
        if (snapshot.capabilities(topic, name).isEmpty()) {
            return refuse(Reason.NOT_A_MEMBER, "'" + name + "' is not a member of '" + topic + "'");
        }
        return new Changed(List.of(new MemberRemoved(topic)));
    }

    private static RegistryDecisionResult unknownIdentity(String name) {
        return refuse(Reason.UNKNOWN_IDENTITY, "there is no identity '" + name + "'");
    }

    private static RegistryDecisionResult noSuchTopic(String topic) {
        return refuse(Reason.NO_SUCH_TOPIC, "there is no topic '" + topic + "'");
    }

    private static RegistryDecisionResult refuse(Reason reason, String detail) {
        return new Refused(reason, detail);
    }
}
