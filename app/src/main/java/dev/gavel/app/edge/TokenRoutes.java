package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Act;
import dev.gavel.app.register.Change.TokenCreated;
import dev.gavel.app.register.Change.TokenRevoked;
import dev.gavel.app.register.Command.CreateToken;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetRoles;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.app.register.Token;
import dev.gavel.yaml.Fields;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Lets admins make, list and revoke tokens, and set the roles of whose they are. Thread-safe. */
final class TokenRoutes {
    private static final Set<String> NAMES = Set.of("name", "topic", "capabilities", "roles", "expiresIn");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(3650);

    private final Visits visits;
    private final Registrar registrar;
    private final List<String> known;

    /**
     * The routes.
     *
     * @param known the roles there are
     */
    TokenRoutes(Visits visits, Registrar registrar, List<String> known) {
        this.known = List.copyOf(known);
        this.visits = visits;
        this.registrar = registrar;
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
        // Known here and to whoever asked; everywhere else there is only its hash.
        String secret = TokenFiles.create();
        Rulings.filled(
                context,
                Form.read(body, NAMES),
                form -> command(form, TokenHash.of(secret)),
                command -> Rulings.when(
                        registrar.order(admin.identity().id(), admin.warrant(), command), context, done -> {
                            Register register = done.register();
                            JsonObject json = new JsonObject()
                                    .put("id", command.id())
                                    .put("name", command.name())
                                    .put("token", secret);
                            done.changes().stream()
                                    .filter(TokenCreated.class::isInstance)
                                    .flatMap(change -> ((TokenCreated) change).expiresAt().stream())
                                    .forEach(end -> json.put("expiresAt", end.toString()));
                            json.put("roles", sorted(register.roles(command.name())))
                                    .put("topics", new JsonArray(register.topicsOf(command.name())));
                            Answers.send(context, 201, json.toBuffer());
                        }));
    }

    private CreateToken command(Form form, TokenHash hash) {
        Optional<String> name = form.text("name");
        if (name.isEmpty()) {
            form.wrong("bad_name", "say in 'name' whom the token is for");
        }
        name.flatMap(Rulings::badName).ifPresent(bad -> form.wrong(bad.code(), bad.detail()));
        Optional<String> topic = form.text("topic");
        if (topic.isPresent() && !Visits.isTopicName(topic.get())) {
            form.wrong(Visits.BAD_TOPIC.code(), Visits.BAD_TOPIC.detail());
        }
        if (topic.isEmpty() && form.has("capabilities")) {
            form.wrong("bad_topic", "say in 'topic' where the capabilities are to hold");
        }
        return new CreateToken(
                name.orElse(""),
                "k-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12),
                hash,
                lifetime(form),
                topic,
                form.capabilities(),
                roles(form));
    }

    private Optional<Set<String>> roles(Form form) {
        Optional<List<String>> roles = form.texts("roles");
        if (roles.isPresent() && !known.containsAll(roles.get())) {
            form.wrong("bad_role", "the roles are " + String.join(", ", known));
        }
        return roles.map(Set::copyOf);
    }

    private static Optional<Duration> lifetime(Form form) {
        Optional<String> said = form.text("expiresIn");
        Optional<Duration> span = said.flatMap(Fields::span)
                .filter(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0);
        if (said.isPresent() && span.isEmpty()) {
            form.wrong("bad_expiry", "'expiresIn' is a span of time such as 12h or 30d, from 1s to 3650d");
        }
        return span;
    }

    private void roles(RoutingContext context, Authenticated admin, byte[] body) {
        String name = Objects.requireNonNull(context.pathParam("name"));
        Rulings.filled(
                context,
                Form.read(body, Set.of("roles")),
                form -> {
                    Rulings.badName(name).ifPresent(bad -> form.wrong(bad.code(), bad.detail()));
                    Optional<Set<String>> roles = roles(form);
                    if (roles.isEmpty()) {
                        form.wrong("bad_role", "say in 'roles' which they are to be; [] for none");
                    }
                    return new SetRoles(name, roles.orElse(Set.of()));
                },
                command -> Rulings.when(
                        registrar.order(admin.identity().id(), admin.warrant(), command),
                        context,
                        done -> Answers.send(
                                context,
                                200,
                                new JsonObject()
                                        .put("name", name)
                                        .put("roles", sorted(done.register().roles(name)))
                                        .toBuffer())));
    }

    private void revoke(RoutingContext context, Authenticated admin) {
        String name = Objects.requireNonNull(context.pathParam("name"));
        RevokeTokens command = new RevokeTokens(name, Optional.ofNullable(context.pathParam("id")));
        Optional<Problem> bad = Rulings.badName(name);
        if (bad.isPresent()) {
            bad.get().send(context.response());
            return;
        }
        Rulings.when(registrar.order(admin.identity().id(), admin.warrant(), command), context, done -> {
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
}
