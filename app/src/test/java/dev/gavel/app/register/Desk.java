package dev.gavel.app.register;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Command.CreateToken;
import dev.gavel.ledger.Event;
import dev.gavel.mcpx.Capabilities;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A register to which commands are put one after the other, as events that are read back. Time is set by hand. */
final class Desk {
    static final Capabilities CHAT = can("chat.*");
    static final Capabilities PROPOSE = can("mcp.proposal.*");

    final List<Event> events = new ArrayList<>();
    Register register;
    Instant now = Instant.parse("2026-01-05T10:00:00Z");

    /** Alice is the admin; helper may propose in ops; files has no token. There is also the topic lab. */
    Desk() {
        this.register = configured(identity("alice", "admin"), identity("helper"), without("files"));
    }

    static Register configured(Identity... identities) {
        Map<String, Identity> by = new LinkedHashMap<>();
        for (Identity identity : identities) {
            by.put(identity.id(), identity);
        }
        return Register.of(by, Map.of("ops", Map.of("helper", PROPOSE), "lab", Map.of()));
    }

    static Identity identity(String name, String... roles) {
        return new Identity(name, name, Set.of(roles), List.of(), Optional.of(TokenHash.of(name)));
    }

    static Identity without(String name) {
        return new Identity(name, name, Set.of(), List.of(), Optional.empty());
    }

    static Capabilities can(String... patterns) {
        return Capabilities.compile(List.of(patterns)).orThrow();
    }

    static CreateToken token(String name, String id) {
        return new CreateToken(
                name, id, TokenHash.of(id), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    static CreateToken lasting(String name, String id, Duration lifetime) {
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

    static CreateToken placed(String name, String id, String topic, Optional<Capabilities> capabilities) {
        return new CreateToken(
                name, id, TokenHash.of(id), Optional.empty(), Optional.of(topic), capabilities, Optional.empty());
    }

    /** Puts a command of alice's. */
    Ruling put(Command command) {
        return put("alice", command);
    }

    Ruling put(String actor, Command command) {
        Ruling ruling = new Rulebook(register, actor, now).decide(command);
        if (ruling instanceof Ruling.Changed(List<Change> changes)) {
            List<Event> made = new ArrayList<>();
            for (Change change : changes) {
                made.add(new Event(
                        Register.STREAM,
                        events.size() + made.size() + 1,
                        now,
                        command.name(),
                        Changes.type(change),
                        actor,
                        null,
                        Changes.body(change)));
            }
            events.addAll(made);
            register = register.after(made);
        }
        return ruling;
    }

    /** Whether a token is good now, and whose it is. */
    Optional<String> whose(String token) {
        return Optional.ofNullable(register.grants(now).get(TokenHash.of(token)))
                .map(grant -> grant.identity().id());
    }
}
