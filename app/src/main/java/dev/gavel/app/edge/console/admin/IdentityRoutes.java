package dev.gavel.app.edge.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.app.edge.Orders;
import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.identity.Identity;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.app.register.Token;
import dev.gavel.console.admin.AdminPages;
import dev.gavel.console.admin.ConfirmPage;
import dev.gavel.console.admin.IdentitiesPage;
import dev.gavel.console.admin.IdentityLine;
import dev.gavel.console.admin.IdentityPage;
import dev.gavel.console.admin.NewIdentityPage;
import dev.gavel.console.admin.Paths;
import dev.gavel.console.admin.Preset;
import dev.gavel.console.admin.SecretPage;
import dev.gavel.console.admin.TokenForm;
import dev.gavel.mcpx.json.Json;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Where admins see who there is, make and revoke tokens, and set roles. Thread-safe. */
final class IdentityRoutes {
    private static final String ONE = Paths.IDENTITIES + "/:name";

    /** Nobody looks through more; searching finds the others. */
    private static final int MOST = 200;

    private final Admins admins;
    private final WebConfig config;
    private final Registrar registrar;
    private final Orders orders;
    private final InstantSource clock;

    IdentityRoutes(Admins admins, WebConfig config, Registrar registrar, Orders orders, InstantSource clock) {
        this.admins = admins;
        this.config = config;
        this.registrar = registrar;
        this.orders = orders;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(Paths.IDENTITIES).handler(context -> admins.page(context, visitor -> list(context, visitor)));
        router.get(Paths.NEW_IDENTITY)
                .handler(context -> admins.page(context, visitor -> ask(context, visitor, 200, blank())));
        router.post(Paths.NEW_IDENTITY)
                .handler(context -> admins.form(context, (visitor, fields) -> make(context, visitor, fields)));
        router.get(ONE)
                .handler(context -> admins.page(
                        context,
                        visitor -> known(
                                context,
                                name -> show(
                                        context,
                                        visitor,
                                        name,
                                        200,
                                        again(),
                                        Notice.asked(context),
                                        Optional.empty()))));
        router.post(ONE + "/roles")
                .handler(context -> admins.form(
                        context, (visitor, fields) -> known(context, name -> roles(context, visitor, name, fields))));
        router.post(ONE + "/tokens")
                .handler(context -> admins.form(
                        context, (visitor, fields) -> known(context, name -> another(context, visitor, name, fields))));
        // The page that shows a secret is the answer to a form; who asks for its address again does not get it again.
        router.get(ONE + "/tokens")
                .handler(context -> admins.page(
                        context, visitor -> known(context, name -> Replies.redirect(context, Paths.identity(name)))));
        router.get(ONE + "/revoke")
                .handler(context -> admins.page(
                        context,
                        visitor -> known(
                                context,
                                name -> confirm(
                                        context,
                                        visitor,
                                        name,
                                        Optional.ofNullable(context.request().getParam("token"))))));
        router.post(ONE + "/revoke")
                .handler(context -> admins.form(
                        context,
                        (visitor, fields) -> known(context, name -> {
                            if (fields.text("sure").isEmpty()) {
                                confirm(context, visitor, name, fields.text("token"));
                            } else {
                                revoke(context, visitor, name, fields.text("token"));
                            }
                        })));
    }

    private void known(RoutingContext context, Consumer<String> then) {
        String name = Objects.requireNonNull(context.pathParam("name"));
        if (registrar.register().knows(name)) {
            then.accept(name);
        } else {
            Replies.refuse(context, 404, "Not found", "Nobody of that name is known here.");
        }
    }

    private People people() {
        return new People(registrar.register(), config.identities(), clock.instant());
    }

    private List<String> topics() {
        return config.topics();
    }

    private List<String> roles() {
        return config.roles();
    }

    private void list(RoutingContext context, Visitor visitor) {
        String wanted = context.request().getParam("q", "").strip();
        People people = people();
        List<IdentityLine> found = people.found(wanted);
        Replies.page(
                context,
                200,
                AdminPages.identities(
                        new IdentitiesPage(
                                admins.frame(visitor, "Identities"),
                                wanted,
                                people.register().names().size(),
                                found.size(),
                                found.subList(0, Math.min(MOST, found.size()))),
                        people.now()));
    }

    /** Who is new gets the least that is of use, unless somebody says otherwise. */
    private TokenForm blank() {
        TokenForm blank = TokenForm.blank(Preset.PROPOSES.word());
        return topics().size() == 1 ? blank.in(topics().getFirst()) : blank;
    }

    private static TokenForm again() {
        return TokenForm.blank(TokenForm.KEEP);
    }

    private void ask(RoutingContext context, Visitor visitor, int status, TokenForm form) {
        Replies.page(
                context,
                status,
                AdminPages.newIdentity(
                        new NewIdentityPage(admins.frame(visitor, "New identity"), form, roles(), topics()),
                        clock.instant()));
    }

    private void make(RoutingContext context, Visitor visitor, Fields fields) {
        TokenForm form = TokenFields.read(fields);
        if (registrar.register().knows(form.name())) {
            ask(
                    context,
                    visitor,
                    409,
                    form.wrong(
                            "name",
                            List.of("There is somebody of that name. Take another, or make a token on their page.")));
            return;
        }
        Optional<TokenForm> mistaken = TokenFields.mistaken(form, false);
        if (mistaken.isPresent()) {
            ask(context, visitor, 400, mistaken.get());
            return;
        }
        Admins.when(
                orders.token(Admins.by(visitor), TokenFields.body(form, form.name(), true)),
                context,
                made -> reveal(context, visitor, made, true),
                problem -> ask(context, visitor, problem.status(), TokenFields.refused(form, problem)));
    }

    private void another(RoutingContext context, Visitor visitor, String name, Fields fields) {
        TokenForm form = TokenFields.read(fields);
        boolean member = registrar.register().topicsOf(name).contains(form.topic());
        Optional<TokenForm> mistaken = TokenFields.mistaken(form, member);
        if (mistaken.isPresent()) {
            show(context, visitor, name, 400, mistaken.get(), Optional.empty(), Optional.empty());
            return;
        }
        Admins.when(
                orders.token(Admins.by(visitor), TokenFields.body(form, name, false)),
                context,
                made -> reveal(context, visitor, made, false),
                problem -> show(
                        context,
                        visitor,
                        name,
                        problem.status(),
                        TokenFields.refused(form, problem),
                        Optional.empty(),
                        Optional.empty()));
    }

    /** The one time that a secret is shown: on the answer, which nobody keeps. */
    private void reveal(RoutingContext context, Visitor visitor, Orders.Made made, boolean fresh) {
        Replies.page(
                context,
                201,
                AdminPages.secret(
                        new SecretPage(
                                admins.frame(visitor, "A new token"),
                                made.name(),
                                made.id(),
                                made.secret(),
                                made.expiresAt(),
                                fresh,
                                made.name().equals(visitor.id()),
                                made.register().topicsOf(made.name()),
                                address(context)),
                        clock.instant()));
    }

    private String address(RoutingContext context) {
        return config.publicUrl()
                .map(url -> url.resolve("/").toString())
                .orElseGet(() -> (config.tls().isPresent() ? "https://" : "http://")
                        + context.request().authority() + "/");
    }

    private void show(
            RoutingContext context,
            Visitor visitor,
            String name,
            int status,
            TokenForm form,
            Optional<String> done,
            Optional<String> complaint) {
        People people = people();
        Replies.page(
                context,
                status,
                AdminPages.identity(
                        new IdentityPage(
                                admins.frame(visitor, name),
                                people.line(name),
                                name.equals(visitor.id()),
                                roles(),
                                people.places(name),
                                people.tokens(name, visitor),
                                topics(),
                                form,
                                done,
                                complaint),
                        people.now()));
    }

    private void roles(RoutingContext context, Visitor visitor, String name, Fields fields) {
        List<String> roles = fields.texts("roles");
        boolean gives = name.equals(visitor.id()) && !roles.contains(Identity.ADMIN);
        if (gives && fields.text("sure").isEmpty()) {
            Replies.page(
                    context,
                    200,
                    AdminPages.confirm(
                            new ConfirmPage(
                                    admins.frame(visitor, "Give up the role admin?"),
                                    "Give up the role admin yourself?",
                                    "Your roles would be " + (roles.isEmpty() ? "none" : String.join(", ", roles))
                                            + ".",
                                    Optional.of("You could not open these pages any more. Another admin would have to"
                                            + " give the role back to you."),
                                    Paths.identity(name) + "/roles",
                                    roles.stream()
                                            .map(role -> new ConfirmPage.Value("roles", role))
                                            .toList(),
                                    "Give it up",
                                    Paths.identity(name)),
                            clock.instant()));
            return;
        }
        byte[] body = Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("roles");
                    roles.forEach(json::writeString);
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw()
                .getBytes(UTF_8);
        Admins.when(
                orders.roles(Admins.by(visitor), name, body),
                context,
                done -> Replies.redirect(context, gives ? "/" : Notice.ROLES.on(Paths.identity(name))),
                problem -> show(
                        context,
                        visitor,
                        name,
                        problem.status(),
                        again(),
                        Optional.empty(),
                        Optional.of("The roles are as they were. " + Admins.sentence(problem))));
    }

    private void confirm(RoutingContext context, Visitor visitor, String name, Optional<String> id) {
        String which = id.map(it -> it.equals(Token.CONFIGURED) ? "the configured token" : "the token " + it)
                .orElse("all tokens");
        if (id.isPresent() && token(name, id.get()).isEmpty()) {
            Replies.refuse(context, 404, "Not found", "Nobody of that name has such a token.");
            return;
        }
        Replies.page(
                context,
                200,
                AdminPages.confirm(
                        new ConfirmPage(
                                admins.frame(visitor, "Revoke " + which + "?"),
                                name.equals(visitor.id())
                                        ? "Revoke " + which.replaceFirst("^the |(?<=^all )", "your ") + "?"
                                        : "Revoke " + which + " of " + name + "?",
                                "Whoever uses " + (id.isPresent() ? "it" : "one")
                                        + " is signed out and cut off at once. It cannot be taken back; another token"
                                        + " can be made.",
                                own(name, id, visitor)
                                        ? Optional.of(
                                                "You are signed in with " + (id.isPresent() ? "it" : "one of them")
                                                        + ": your own session ends, here and in"
                                                        + " every window. Have another token at hand.")
                                        : Optional.empty(),
                                Paths.identity(name) + "/revoke",
                                id.map(it -> new ConfirmPage.Value("token", it)).stream()
                                        .toList(),
                                "Revoke",
                                Paths.identity(name)),
                        clock.instant()));
    }

    private Optional<Token> token(String name, String id) {
        return registrar.register().tokens(name).stream()
                .filter(token -> token.id().equals(id))
                .findFirst();
    }

    /** Whether what somebody is signed in with is among those. */
    private boolean own(String name, Optional<String> id, Visitor visitor) {
        Register register = registrar.register();
        return register.tokens(name).stream()
                .anyMatch(token -> (id.isEmpty() || token.id().equals(id.get())) && People.isOf(token, visitor));
    }

    private void revoke(RoutingContext context, Visitor visitor, String name, Optional<String> id) {
        boolean own = own(name, id, visitor);
        Admins.when(
                orders.revoke(Admins.by(visitor), name, id),
                context,
                done -> Replies.redirect(
                        context,
                        own
                                ? "/sign-in"
                                : (id.isPresent() ? Notice.REVOKED : Notice.REVOKED_ALL).on(Paths.identity(name))),
                problem -> show(
                        context,
                        visitor,
                        name,
                        problem.status(),
                        again(),
                        Optional.empty(),
                        Optional.of("Nothing was revoked. " + Admins.sentence(problem))));
    }
}
