package dev.gavel.web.registry;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.CreateToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A registry for tests to which commands are put one by one, with a clock set by hand. */
final class TestRegistry {
    static final CapabilitySet CHAT = capabilities("chat.*");
    static final CapabilitySet PROPOSE = capabilities("mcp.proposal.*");

    final List<LedgerEvent> events = new ArrayList<>();
    RegistrySnapshot registrySnapshot;
    Instant now = Instant.parse("2026-01-05T10:00:00Z");

    /** Alice is the admin; helper may propose in ops; files has no token. There is also the topic lab. */
    TestRegistry() {
        this.registrySnapshot =
                configured(identity("alice", "admin"), identity("helper"), identityWithoutToken("files"));
    }

    static RegistrySnapshot configured(Identity... identities) {
        Map<String, Identity> identitiesById = new LinkedHashMap<>();
        for (Identity identity : identities) {
            identitiesById.put(identity.id(), identity);
        }
        return RegistrySnapshot.of(identitiesById, Map.of("ops", Map.of("helper", PROPOSE), "lab", Map.of()));
    }

    static Identity identity(String name, String... roles) {
        return new Identity(name, name, Set.of(roles), List.of(), Optional.of(TokenHash.of(name)));
    }

    static Identity identityWithoutToken(String name) {
        return new Identity(name, name, Set.of(), List.of(), Optional.empty());
    }

    static CapabilitySet capabilities(String... patterns) {
        return CapabilitySet.compile(List.of(patterns)).orThrow();
    }

    static CreateToken token(String name, String id) {
        return new CreateToken(
                name, id, TokenHash.of(id), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    static CreateToken expiringToken(String name, String id, Duration lifetime) {
        return new CreateToken(
                name,
                id,
                TokenHash.of(id),
                Optional.of(lifetime),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    static CreateToken withRoles(String name, String id, String... roles) {
        return new CreateToken(
                name,
                id,
                TokenHash.of(id),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(Set.of(roles)));
    }

    static CreateToken tokenInTopic(String name, String id, String topic, Optional<CapabilitySet> capabilitySet) {
        return new CreateToken(
                name, id, TokenHash.of(id), Optional.empty(), Optional.of(topic), capabilitySet, Optional.empty());
    }

    /** Executes a command as alice. */
    RegistryDecisionResult execute(RegistryCommand command) {
        return execute("alice", command);
    }

    RegistryDecisionResult execute(String actor, RegistryCommand command) {
        RegistryDecisionResult registryDecisionResult =
                new RegistryCommandDecider(registrySnapshot, actor, now).decide(command);
        if (registryDecisionResult instanceof RegistryDecisionResult.Changed(List<RegistryChange> changes)) {
            List<LedgerEvent> newEvents = new ArrayList<>();
            for (RegistryChange change : changes) {
                newEvents.add(new LedgerEvent(
                        RegistrySnapshot.STREAM,
                        events.size() + newEvents.size() + 1,
                        now,
                        command.name(),
                        RegistryChangeCodec.type(change),
                        actor,
                        null,
                        RegistryChangeCodec.body(change)));
            }
            events.addAll(newEvents);
            registrySnapshot = registrySnapshot.apply(newEvents);
        }
        return registryDecisionResult;
    }

    /** The owner of a token, if the token is valid now. */
    Optional<String> ownerOf(String token) {
        return Optional.ofNullable(registrySnapshot.grants(now).get(TokenHash.of(token)))
                .map(grant -> grant.identity().id());
    }
}
