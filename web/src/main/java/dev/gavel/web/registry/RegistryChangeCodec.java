package dev.gavel.web.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryChange.MemberRemoved;
import dev.gavel.web.registry.RegistryChange.MemberReset;
import dev.gavel.web.registry.RegistryChange.MemberSet;
import dev.gavel.web.registry.RegistryChange.RolesSet;
import dev.gavel.web.registry.RegistryChange.TokenCreated;
import dev.gavel.web.registry.RegistryChange.TokenRevoked;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * Encodes admins' changes to identities as ledger events with a type and a JSON body, and decodes them. Ignores fields
 * that a later version adds. Stateless.
 */
final class RegistryChangeCodec {
    private RegistryChangeCodec() {}

    static String type(RegistryChange change) {
        return switch (change) {
            case TokenCreated _ -> "token.created";
            case TokenRevoked _ -> "token.revoked";
            case RolesSet _ -> "roles.set";
            case MemberSet _ -> "member.set";
            case MemberRemoved _ -> "member.removed";
            case MemberReset _ -> "member.reset";
        };
    }

    static LedgerBody body(RegistryChange change) {
        return LedgerBody.of(JsonByteWriter.write(json -> {
            json.writeStartObject();
            write(json, change);
            json.writeEndObject();
        }));
    }

    private static void write(JsonGenerator json, RegistryChange change) {
        switch (change) {
            case TokenCreated(String id, TokenHash hash, Optional<Instant> expiresAt) -> {
                writeToken(json, id, hash);
                expiresAt.ifPresent(end -> json.writeStringProperty("expiresAt", end.toString()));
            }
            case TokenRevoked(String id, TokenHash hash) -> writeToken(json, id, hash);
            case RolesSet(Set<String> roles) -> {
                json.writeArrayPropertyStart("roles");
                new TreeSet<>(roles).forEach(json::writeString);
                json.writeEndArray();
            }
            case MemberSet(String topic, CapabilitySet capabilitySet) -> {
                json.writeStringProperty("topic", topic);
                json.writeName("capabilities");
                json.writeRawValue(new String(capabilitySet.toJson(EnvelopeSyntax.CURRENT), UTF_8));
            }
            case MemberRemoved(String topic) -> json.writeStringProperty("topic", topic);
            case MemberReset(String topic) -> json.writeStringProperty("topic", topic);
        }
    }

    private static void writeToken(JsonGenerator json, String id, TokenHash hash) {
        json.writeStringProperty("id", id);
        json.writeStringProperty("sha256", hash.hex());
    }

    /** Decodes the change in an event. Throws {@link LedgerException} if the event is not a valid change. */
    static RegistryChange decode(LedgerEvent event) {
        try {
            return decode(
                    event.type(),
                    Json.parse(event.body().toString()).orElseThrow(() -> invalid("the body is not JSON")));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new LedgerException("stream '" + event.stream() + "', seq " + event.seq() + ": " + e.getMessage(), e);
        }
    }

    /** Decodes a change. Throws {@link IllegalArgumentException} or {@link DateTimeException} if it is not valid. */
    static RegistryChange decode(String type, Json body) {
        return switch (type) {
            case "token.created" ->
                new TokenCreated(
                        text(body, "id"),
                        hash(body),
                        body.at("expiresAt").asText().map(Instant::parse));
            case "token.revoked" -> new TokenRevoked(text(body, "id"), hash(body));
            case "roles.set" -> new RolesSet(Set.copyOf(body.at("roles").texts()));
            case "member.set" -> new MemberSet(text(body, "topic"), capabilities(body));
            case "member.removed" -> new MemberRemoved(text(body, "topic"));
            case "member.reset" -> new MemberReset(text(body, "topic"));
            default -> throw invalid("unknown event type '" + type + "'");
        };
    }

    private static String text(Json body, String name) {
        return body.at(name).asText().orElseThrow(() -> invalid("'" + name + "' is missing"));
    }

    private static TokenHash hash(Json body) {
        return TokenHash.parse(text(body, "sha256")).orElseThrow(() -> invalid("'sha256' is not a hash"));
    }

    private static CapabilitySet capabilities(Json body) {
        return switch (CapabilitySet.fromJson(body.at("capabilities").raw().getBytes(UTF_8))) {
            case ValueParseResult.Valid<CapabilitySet>(CapabilitySet capabilitySet) -> capabilitySet;
            case ValueParseResult.Invalid<CapabilitySet>(String problem) -> throw invalid(problem);
        };
    }

    private static IllegalArgumentException invalid(String message) {
        return new IllegalArgumentException(message);
    }
}
