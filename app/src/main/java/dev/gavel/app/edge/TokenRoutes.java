package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.register.Act;
import dev.gavel.app.register.Change.TokenRevoked;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.app.register.Token;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;

/** Lets admins make, list and revoke tokens, and set the roles of whose they are. Thread-safe. */
final class TokenRoutes {
    private final Visits visits;
    private final Registrar registrar;
    private final Orders orders;

    TokenRoutes(Visits visits, Registrar registrar, Orders orders) {
        this.visits = visits;
        this.registrar = registrar;
        this.orders = orders;
    }

    void mount(Router router) {
        router.get("/tokens").handler(context -> visits.grantAdmin(context, admin -> list(context)));
        router.post("/tokens")
                .handler(context -> visits.grantAdmin(
                        context, admin -> Bodies.read(context, Form.LONGEST, body -> create(context, admin, body))));
        router.put("/tokens/:name/roles")
                .handler(context -> visits.grantAdmin(
                        context, admin -> Bodies.read(context, Form.LONGEST, body -> roles(context, admin, body))));
        router.delete("/tokens/:name").handler(context -> visits.grantAdmin(context, admin -> revoke(context, admin)));
        router.delete("/tokens/:name/:id")
                .handler(context -> visits.grantAdmin(context, admin -> revoke(context, admin)));
    }

    private void list(RoutingContext context) {
        Register register = registrar.register();
        Instant now = Instant.now();
        JsonArray tokens = new JsonArray();
        for (String name : register.names()) {
            for (Token token : register.tokens(name)) {
                tokens.add(json(register, name, token, now));
            }
        }
        Answers.send(context, 200, new JsonObject().put("tokens", tokens).toBuffer());
    }

    private static JsonObject json(Register register, String name, Token token, Instant now) {
        JsonObject json = new JsonObject()
                .put("id", token.id())
                .put("name", name)
                .put("state", token.state(now).word())
                .put("source", token.made().isPresent() ? "run-time" : "configuration")
                .put("roles", sorted(register.roles(name)))
                .put("topics", new JsonArray(register.topicsOf(name)));
        token.made().ifPresent(act -> put(json, "created", act));
        token.expiresAt().ifPresent(end -> json.put("expiresAt", end.toString()));
        token.revoked().ifPresent(act -> put(json, "revoked", act));
        return json;
    }

    private static void put(JsonObject json, String what, Act act) {
        json.put(what + "At", act.at().toString()).put(what + "By", act.by());
    }

    private static JsonArray sorted(Collection<String> words) {
        return new JsonArray(words.stream().sorted().toList());
    }

    private void create(RoutingContext context, Authenticated admin, byte[] body) {
        Rulings.when(orders.token(by(admin), body), context, made -> {
            JsonObject json = new JsonObject()
                    .put("id", made.id())
                    .put("name", made.name())
                    .put("token", made.secret());
            made.expiresAt().ifPresent(end -> json.put("expiresAt", end.toString()));
            json.put("roles", sorted(made.register().roles(made.name())))
                    .put("topics", new JsonArray(made.register().topicsOf(made.name())));
            Answers.send(context, 201, json.toBuffer());
        });
    }

    private void roles(RoutingContext context, Authenticated admin, byte[] body) {
        String name = name(context);
        Rulings.when(
                orders.roles(by(admin), name, body),
                context,
                done -> Answers.send(
                        context,
                        200,
                        new JsonObject()
                                .put("name", name)
                                .put("roles", sorted(done.register().roles(name)))
                                .toBuffer()));
    }

    private void revoke(RoutingContext context, Authenticated admin) {
        String name = name(context);
        Rulings.when(orders.revoke(by(admin), name, Optional.ofNullable(context.pathParam("id"))), context, done -> {
            JsonArray revoked = new JsonArray();
            done.changes().stream()
                    .filter(TokenRevoked.class::isInstance)
                    .forEach(change -> revoked.add(((TokenRevoked) change).id()));
            Answers.send(
                    context,
                    200,
                    new JsonObject().put("name", name).put("revoked", revoked).toBuffer());
        });
    }

    private static String name(RoutingContext context) {
        return Objects.requireNonNull(context.pathParam("name"));
    }

    private static Orders.By by(Authenticated admin) {
        return new Orders.By(admin.identity().id(), admin.warrant());
    }
}
