package dev.gavel.web.api;

import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.registry.ChangeAttribution;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistryChange.TokenRevoked;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.RegistryToken;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Serves the API by which admins create, list and revoke tokens and set an identity's roles. Thread-safe. */
public final class TokenRoutes {
    private final TopicAccess topicAccess;
    private final IdentityRegistry identityRegistry;
    private final AdminCommandExecutor adminCommandExecutor;

    public TokenRoutes(
            TopicAccess topicAccess, IdentityRegistry identityRegistry, AdminCommandExecutor adminCommandExecutor) {
        this.topicAccess = topicAccess;
        this.identityRegistry = identityRegistry;
        this.adminCommandExecutor = adminCommandExecutor;
    }

    public void mount(Router router) {
        router.get("/tokens").handler(context -> topicAccess.authorizeAdmin(context, admin -> list(context)));
        router.post("/tokens")
                .handler(context -> topicAccess.authorizeAdmin(
                        context,
                        admin -> RequestBodyReader.read(
                                context, AdminRequestBodyParser.MAX_BYTES, body -> create(context, admin, body))));
        router.put("/tokens/:name/roles")
                .handler(context -> topicAccess.authorizeAdmin(
                        context,
                        admin -> RequestBodyReader.read(
                                context, AdminRequestBodyParser.MAX_BYTES, body -> setRoles(context, admin, body))));
        router.delete("/tokens/:name")
                .handler(context -> topicAccess.authorizeAdmin(context, admin -> revoke(context, admin)));
        router.delete("/tokens/:name/:id")
                .handler(context -> topicAccess.authorizeAdmin(context, admin -> revoke(context, admin)));
    }

    private void list(RoutingContext context) {
        RegistrySnapshot registrySnapshot = identityRegistry.snapshot();
        Instant now = Instant.now();
        JsonArray tokens = new JsonArray();
        for (String name : registrySnapshot.names()) {
            for (RegistryToken token : registrySnapshot.tokens(name)) {
                tokens.add(json(registrySnapshot, name, token, now));
            }
        }
        JsonResponses.send(
                context,
                200,
                new JsonObject()
                        .put("tokens", tokens)
                        .put(
                                "names",
                                new JsonObject(Map.copyOf(
                                        registrySnapshot.displayNames().namesById())))
                        .toBuffer());
    }

    private static JsonObject json(RegistrySnapshot registrySnapshot, String name, RegistryToken token, Instant now) {
        JsonObject json = new JsonObject()
                .put("id", token.id())
                .put("name", name)
                .put("state", token.state(now).word())
                .put("source", token.created().isPresent() ? "run-time" : "configuration")
                .put("roles", sorted(registrySnapshot.roles(name)))
                .put("topics", new JsonArray(registrySnapshot.topicsOf(name)));
        token.created().ifPresent(changeAttribution -> put(json, "created", changeAttribution));
        token.expiresAt().ifPresent(end -> json.put("expiresAt", end.toString()));
        token.revoked().ifPresent(changeAttribution -> put(json, "revoked", changeAttribution));
        return json;
    }

    private static void put(JsonObject json, String prefix, ChangeAttribution changeAttribution) {
        json.put(prefix + "At", changeAttribution.at().toString()).put(prefix + "By", changeAttribution.by());
    }

    private static JsonArray sorted(Collection<String> values) {
        return new JsonArray(values.stream().sorted().toList());
    }

    private void create(RoutingContext context, Authenticated admin, byte[] body) {
        AdminCommandResponses.whenComplete(
                adminCommandExecutor.createToken(toCaller(admin), body), context, createdToken -> {
                    JsonObject json = new JsonObject()
                            .put("id", createdToken.id())
                            .put("name", createdToken.name())
                            .put("token", createdToken.secret());
                    createdToken.expiresAt().ifPresent(end -> json.put("expiresAt", end.toString()));
                    json.put("roles", sorted(createdToken.registrySnapshot().roles(createdToken.name())))
                            .put(
                                    "topics",
                                    new JsonArray(
                                            createdToken.registrySnapshot().topicsOf(createdToken.name())));
                    JsonResponses.send(context, 201, json.toBuffer());
                });
    }

    private void setRoles(RoutingContext context, Authenticated admin, byte[] body) {
        String name = name(context);
        AdminCommandResponses.whenComplete(
                adminCommandExecutor.roles(toCaller(admin), name, body),
                context,
                done -> JsonResponses.send(
                        context,
                        200,
                        new JsonObject()
                                .put("name", name)
                                .put("roles", sorted(done.snapshot().roles(name)))
                                .toBuffer()));
    }

    private void revoke(RoutingContext context, Authenticated admin) {
        String name = name(context);
        AdminCommandResponses.whenComplete(
                adminCommandExecutor.revokeTokens(toCaller(admin), name, Optional.ofNullable(context.pathParam("id"))),
                context,
                done -> {
                    JsonArray revoked = new JsonArray();
                    done.changes().stream()
                            .filter(TokenRevoked.class::isInstance)
                            .forEach(change -> revoked.add(((TokenRevoked) change).id()));
                    JsonResponses.send(
                            context,
                            200,
                            new JsonObject()
                                    .put("name", name)
                                    .put("revoked", revoked)
                                    .toBuffer());
                });
    }

    private static String name(RoutingContext context) {
        return Objects.requireNonNull(context.pathParam("name"));
    }

    private static AdminCommandExecutor.AdminCaller toCaller(Authenticated admin) {
        return new AdminCommandExecutor.AdminCaller(admin.identity().id(), admin.revocableAccessGrant());
    }
}
