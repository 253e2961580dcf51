package dev.gavel.app.register;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Change.MemberRemoved;
import dev.gavel.app.register.Change.MemberReset;
import dev.gavel.app.register.Change.MemberSet;
import dev.gavel.app.register.Change.RolesSet;
import dev.gavel.app.register.Change.TokenCreated;
import dev.gavel.app.register.Change.TokenRevoked;
import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.JsonText;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * How changes are kept as events of the ledger: a type word and a JSON object. Fields that a later version adds are passed
 * over. Stateless.
 */
final class Changes {
    private Changes() {}

    static String type(Change change) {
        return switch (change) {
            case TokenCreated _ -> "token.created";
            case TokenRevoked _ -> "token.revoked";
            case RolesSet _ -> "roles.set";
            case MemberSet _ -> "member.set";
            case MemberRemoved _ -> "member.removed";
            case MemberReset _ -> "member.reset";
        };
    }

    static Body body(Change change) {
        return Body.of(JsonText.write(json -> {
            json.writeStartObject();
            write(json, change);
            json.writeEndObject();
        }));
    }

    private static void write(JsonGenerator json, Change change) {
        switch (change) {
            case TokenCreated(String id, TokenHash hash, Optional<Instant> expiresAt) -> {
                token(json, id, hash);
                expiresAt.ifPresent(end -> json.writeStringProperty("expiresAt", end.toString()));
            }
            case TokenRevoked(String id, TokenHash hash) -> token(json, id, hash);
            case RolesSet(Set<String> roles) -> {
                json.writeArrayPropertyStart("roles");
                new TreeSet<>(roles).forEach(json::writeString);
                json.writeEndArray();
            }
            case MemberSet(String topic, Capabilities capabilities) -> {
                json.writeStringProperty("topic", topic);
                json.writeName("capabilities");
                json.writeRawValue(new String(capabilities.toJson(Spelling.CURRENT), UTF_8));
            }
            case MemberRemoved(String topic) -> json.writeStringProperty("topic", topic);
            case MemberReset(String topic) -> json.writeStringProperty("topic", topic);
        }
    }

    private static void token(JsonGenerator json, String id, TokenHash hash) {
        json.writeStringProperty("id", id);
        json.writeStringProperty("sha256", hash.hex());
    }

    /** What an event says was changed; one that says nothing we understand throws {@link LedgerFailure}. */
    static Change read(Event event) {
        try {
            Json body = Json.parse(event.body().toString()).orElseThrow(() -> wrong("its body is no JSON"));
            return switch (event.type()) {
                case "token.created" ->
                    new TokenCreated(
                            text(body, "id"),
                            hash(body),
                            body.at("expiresAt").ifText().map(Instant::parse));
                case "token.revoked" -> new TokenRevoked(text(body, "id"), hash(body));
                case "roles.set" -> new RolesSet(Set.copyOf(body.at("roles").texts()));
                case "member.set" -> new MemberSet(text(body, "topic"), capabilities(body));
                case "member.removed" -> new MemberRemoved(text(body, "topic"));
                case "member.reset" -> new MemberReset(text(body, "topic"));
                default -> throw wrong("nothing here is called '" + event.type() + "'");
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new LedgerFailure("stream '" + event.stream() + "', seq " + event.seq() + ": " + e.getMessage(), e);
        }
    }

    private static String text(Json body, String name) {
        return body.at(name).ifText().orElseThrow(() -> wrong("'" + name + "' is missing"));
    }

    private static TokenHash hash(Json body) {
        return TokenHash.parse(text(body, "sha256")).orElseThrow(() -> wrong("'sha256' is no hash"));
    }

    private static Capabilities capabilities(Json body) {
        return switch (Capabilities.fromJson(body.at("capabilities").raw().getBytes(UTF_8))) {
            case Parsed.Valid<Capabilities>(Capabilities capabilities) -> capabilities;
            case Parsed.Invalid<Capabilities>(String problem) -> throw wrong(problem);
        };
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what);
    }
}
