package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.api.AdminCommandExecutor;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.RegistryToken;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the pages on which admins list identities, create and revoke tokens, and set roles. Thread-safe. */
final class IdentityController {
    private static final String IDENTITY = AdminPaths.IDENTITIES + "/:name";

    /** More rows are too many to read; a search finds the others. */
    private static final int MAX_ROWS = 200;

    private final AdminAccess adminAccess;
    private final WebConfig config;
    private final IdentityRegistry identityRegistry;
    private final AdminCommandExecutor adminCommandExecutor;
    private final InstantSource clock;

    IdentityController(
            AdminAccess adminAccess,
            WebConfig config,
            IdentityRegistry identityRegistry,
            AdminCommandExecutor adminCommandExecutor,
            InstantSource clock) {
        this.adminAccess = adminAccess;
        this.config = config;
        this.identityRegistry = identityRegistry;
        this.adminCommandExecutor = adminCommandExecutor;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(AdminPaths.IDENTITIES)
                .handler(context -> adminAccess.handlePage(context, consoleUser -> list(context, consoleUser)));
        router.get(AdminPaths.NEW_IDENTITY)
                .handler(context -> adminAccess.handlePage(
                        context, consoleUser -> showNewIdentityForm(context, consoleUser, 200, newIdentityForm())));
        router.post(AdminPaths.NEW_IDENTITY)
                .handler(context -> adminAccess.handleForm(
                        context, (consoleUser, fields) -> createIdentity(context, consoleUser, fields)));
        router.get(IDENTITY)
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withIdentity(
                                context,
                                name -> show(
                                        context,
                                        consoleUser,
                                        name,
                                        200,
                                        emptyTokenForm(),
                                        AdminSuccessMessage.fromRequest(context),
                                        Optional.empty()))));
        router.post(IDENTITY + "/roles")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) ->
                                withIdentity(context, name -> roles(context, consoleUser, name, fields))));
        router.post(IDENTITY + "/tokens")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) ->
                                withIdentity(context, name -> createToken(context, consoleUser, name, fields))));
        // The page that shows a secret is the response to a form. Loading its address again redirects instead of
        // showing the secret a second time.
        router.get(IDENTITY + "/tokens")
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withIdentity(
                                context, name -> ConsoleResponses.redirect(context, AdminPaths.identity(name)))));
        router.get(IDENTITY + "/revoke")
                .handler(context -> adminAccess.handlePage(
                        context,
                        consoleUser -> withIdentity(
                                context,
                                name -> confirmRevocation(
                                        context,
                                        consoleUser,
                                        name,
                                        Optional.ofNullable(context.request().getParam("token"))))));
        router.post(IDENTITY + "/revoke")
                .handler(context -> adminAccess.handleForm(
                        context,
                        (consoleUser, fields) -> withIdentity(context, name -> {
                            if (fields.text("sure").isEmpty()) {
                                confirmRevocation(context, consoleUser, name, fields.text("token"));
                            } else {
                                revoke(context, consoleUser, name, fields.text("token"));
                            }
                        })));
    }

    private void withIdentity(RoutingContext context, Consumer<String> then) {
        String name = Objects.requireNonNull(context.pathParam("name"));
        if (identityRegistry.snapshot().contains(name)) {
            then.accept(name);
        } else {
            ConsoleResponses.refuse(context, 404, "Not found", "There is no identity with this name.");
        }
    }

    private IdentityRowBuilder identityRows() {
        return new IdentityRowBuilder(identityRegistry.snapshot(), config.configuredIdentityIds(), clock.instant());
    }

    private List<String> topics() {
        return config.topics();
    }

    private List<String> roles() {
        return config.roles();
    }

    private void list(RoutingContext context, ConsoleUser consoleUser) {
        String query = context.request().getParam("q", "").strip();
        IdentityRowBuilder identityRowBuilder = identityRows();
        List<IdentityRow> found = identityRowBuilder.search(query);
        ConsoleResponses.sendPage(
                context,
                200,
                AdminPageRenderer.identities(
                        new IdentityListPage(
                                adminAccess.frame(consoleUser, "Identities"),
                                query,
                                identityRowBuilder.registrySnapshot().names().size(),
                                found.size(),
                                found.subList(0, Math.min(MAX_ROWS, found.size()))),
                        identityRowBuilder.now()));
    }

    /** Preselects the smallest useful set of capabilities for a new identity. */
    private TokenForm newIdentityForm() {
        TokenForm blank = TokenForm.empty(CapabilityPreset.PROPOSES.value());
        return topics().size() == 1 ? blank.withTopic(topics().getFirst()) : blank;
    }

    private static TokenForm emptyTokenForm() {
        return TokenForm.empty(TokenForm.KEEP);
    }

    private void showNewIdentityForm(RoutingContext context, ConsoleUser consoleUser, int status, TokenForm form) {
        ConsoleResponses.sendPage(
                context,
                status,
                AdminPageRenderer.newIdentity(
                        new NewIdentityPage(adminAccess.frame(consoleUser, "New identity"), form, roles(), topics()),
                        clock.instant()));
    }

    private void createIdentity(RoutingContext context, ConsoleUser consoleUser, FormFields fields) {
        TokenForm form = TokenFormReader.read(fields);
        if (identityRegistry.snapshot().contains(form.name())) {
            showNewIdentityForm(
                    context,
                    consoleUser,
                    409,
                    form.withError(
                            "name",
                            List.of("An identity with this name already exists. Choose another name, or create a token"
                                    + " on the page of that identity.")));
            return;
        }
        Optional<TokenForm> invalidForm = TokenFormReader.validate(form, false);
        if (invalidForm.isPresent()) {
            showNewIdentityForm(context, consoleUser, 400, invalidForm.get());
            return;
        }
        AdminAccess.whenComplete(
                adminCommandExecutor.createToken(
                        AdminAccess.adminCaller(consoleUser), TokenFormReader.toRequestBody(form, form.name(), true)),
                context,
                createdToken -> showSecret(context, consoleUser, createdToken, true),
                problem -> showNewIdentityForm(
                        context, consoleUser, problem.status(), TokenFormReader.withRefusal(form, problem)));
    }

    private void createToken(RoutingContext context, ConsoleUser consoleUser, String name, FormFields fields) {
        TokenForm form = TokenFormReader.read(fields);
        boolean member = identityRegistry.snapshot().topicsOf(name).contains(form.topic());
        Optional<TokenForm> invalidForm = TokenFormReader.validate(form, member);
        if (invalidForm.isPresent()) {
            show(context, consoleUser, name, 400, invalidForm.get(), Optional.empty(), Optional.empty());
            return;
        }
        AdminAccess.whenComplete(
                adminCommandExecutor.createToken(
                        AdminAccess.adminCaller(consoleUser), TokenFormReader.toRequestBody(form, name, false)),
                context,
                createdToken -> showSecret(context, consoleUser, createdToken, false),
                problem -> show(
                        context,
                        consoleUser,
                        name,
                        problem.status(),
                        TokenFormReader.withRefusal(form, problem),
                        Optional.empty(),
                        Optional.empty()));
    }

    /** Shows a secret for the only time, on a response that is not stored anywhere. */
    private void showSecret(
            RoutingContext context,
            ConsoleUser consoleUser,
            AdminCommandExecutor.CreatedToken createdToken,
            boolean newIdentity) {
        ConsoleResponses.sendPage(
                context,
                201,
                AdminPageRenderer.secret(
                        new TokenSecretPage(
                                adminAccess.frame(consoleUser, "New token"),
                                createdToken.name(),
                                SafeText.line(createdToken
                                        .registrySnapshot()
                                        .displayNames()
                                        .of(createdToken.name())),
                                createdToken.id(),
                                createdToken.secret(),
                                createdToken.expiresAt(),
                                newIdentity,
                                createdToken.name().equals(consoleUser.id()),
                                createdToken.registrySnapshot().topicsOf(createdToken.name()),
                                address(context)),
                        clock.instant()));
    }

    private String address(RoutingContext context) {
        return config.apiBaseUrl(context.request().localAddress().port()) + "/";
    }

    private void show(
            RoutingContext context,
            ConsoleUser consoleUser,
            String name,
            int status,
            TokenForm form,
            Optional<String> done,
            Optional<String> complaint) {
        IdentityRowBuilder identityRowBuilder = identityRows();
        ConsoleResponses.sendPage(
                context,
                status,
                AdminPageRenderer.identity(
                        new IdentityDetailPage(
                                adminAccess.frame(consoleUser, displayName(name)),
                                identityRowBuilder.row(name),
                                name.equals(consoleUser.id()),
                                roles(),
                                identityRowBuilder.memberships(name),
                                identityRowBuilder.tokens(name, consoleUser),
                                topics(),
                                form,
                                done,
                                complaint),
                        identityRowBuilder.now()));
    }

    private void roles(RoutingContext context, ConsoleUser consoleUser, String name, FormFields fields) {
        List<String> roles = fields.texts("roles");
        boolean dropsOwnAdminRole = name.equals(consoleUser.id()) && !roles.contains(Identity.ADMIN);
        if (dropsOwnAdminRole && fields.text("sure").isEmpty()) {
            ConsoleResponses.sendPage(
                    context,
                    200,
                    AdminPageRenderer.confirm(
                            new ConfirmPage(
                                    adminAccess.frame(consoleUser, "Remove your role admin?"),
                                    "Remove the role admin from yourself?",
                                    "Your roles after this change: "
                                            + (roles.isEmpty() ? "none" : String.join(", ", roles)) + ".",
                                    Optional.of("You can no longer open the administration pages. Only another admin"
                                            + " can give the role back to you."),
                                    AdminPaths.identity(name) + "/roles",
                                    roles.stream()
                                            .map(role -> new ConfirmPage.HiddenField("roles", role))
                                            .toList(),
                                    "Remove role",
                                    AdminPaths.identity(name)),
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
        AdminAccess.whenComplete(
                adminCommandExecutor.roles(AdminAccess.adminCaller(consoleUser), name, body),
                context,
                done -> ConsoleResponses.redirect(
                        context, dropsOwnAdminRole ? "/" : AdminSuccessMessage.ROLES.addTo(AdminPaths.identity(name))),
                problem -> show(
                        context,
                        consoleUser,
                        name,
                        problem.status(),
                        emptyTokenForm(),
                        Optional.empty(),
                        Optional.of("The roles were not changed. " + AdminAccess.sentence(problem))));
    }

    private void confirmRevocation(RoutingContext context, ConsoleUser consoleUser, String name, Optional<String> id) {
        String which = id.map(it -> it.equals(RegistryToken.CONFIGURED) ? "the configured token" : "the token " + it)
                .orElse("all tokens");
        if (id.isPresent() && token(name, id.get()).isEmpty()) {
            ConsoleResponses.refuse(context, 404, "Not found", "This identity has no such token.");
            return;
        }
        ConsoleResponses.sendPage(
                context,
                200,
                AdminPageRenderer.confirm(
                        new ConfirmPage(
                                adminAccess.frame(consoleUser, "Revoke " + which + "?"),
                                name.equals(consoleUser.id())
                                        ? "Revoke " + which.replaceFirst("^the |(?<=^all )", "your ") + "?"
                                        : "Revoke " + which + " of " + displayName(name) + "?",
                                "All sessions and connections that use " + (id.isPresent() ? "it" : "them")
                                        + " are closed immediately. You cannot undo this, but you can create another"
                                        + " token.",
                                includesCurrentToken(name, id, consoleUser)
                                        ? Optional.of("You are signed in with "
                                                + (id.isPresent() ? "this token" : "one of them")
                                                + ". Your own session ends in all windows. Make"
                                                + " sure that you have another token.")
                                        : Optional.empty(),
                                AdminPaths.identity(name) + "/revoke",
                                id.map(it -> new ConfirmPage.HiddenField("token", it)).stream()
                                        .toList(),
                                "Revoke",
                                AdminPaths.identity(name)),
                        clock.instant()));
    }

    private String displayName(String name) {
        return SafeText.line(identityRegistry.snapshot().displayNames().of(name));
    }

    private Optional<RegistryToken> token(String name, String id) {
        return identityRegistry.snapshot().tokens(name).stream()
                .filter(token -> token.id().equals(id))
                .findFirst();
    }

    /** Whether the token that the user is signed in with is among the tokens to revoke. */
    private boolean includesCurrentToken(String name, Optional<String> id, ConsoleUser consoleUser) {
        RegistrySnapshot registrySnapshot = identityRegistry.snapshot();
        return registrySnapshot.tokens(name).stream()
                .anyMatch(token -> (id.isEmpty() || token.id().equals(id.get()))
                        && IdentityRowBuilder.isCurrentToken(token, consoleUser));
    }

    private void revoke(RoutingContext context, ConsoleUser consoleUser, String name, Optional<String> id) {
        boolean includesOwnToken = includesCurrentToken(name, id, consoleUser);
        AdminAccess.whenComplete(
                adminCommandExecutor.revokeTokens(AdminAccess.adminCaller(consoleUser), name, id),
                context,
                done -> ConsoleResponses.redirect(
                        context,
                        includesOwnToken
                                ? "/sign-in"
                                : (id.isPresent() ? AdminSuccessMessage.REVOKED : AdminSuccessMessage.REVOKED_ALL)
                                        .addTo(AdminPaths.identity(name))),
                problem -> show(
                        context,
                        consoleUser,
                        name,
                        problem.status(),
                        emptyTokenForm(),
                        Optional.empty(),
                        Optional.of("Nothing was revoked. " + AdminAccess.sentence(problem))));
    }
}
