package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenHash;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Serves the sign-in page and the forms by which a user signs in with a token or a link, and signs out. Thread-safe.
 */
public final class SignInController {
    private final ConsoleRequestGuard guard;
    private final TokenAuthenticator tokenAuthenticator;
    private final SessionCookies sessionCookies;
    private final SignInCodes codes;

    public SignInController(
            ConsoleRequestGuard guard,
            TokenAuthenticator tokenAuthenticator,
            SessionCookies sessionCookies,
            SignInCodes codes) {
        this.guard = guard;
        this.tokenAuthenticator = tokenAuthenticator;
        this.sessionCookies = sessionCookies;
        this.codes = codes;
    }

    public void mount(Router router) {
        router.get("/sign-in").handler(this::showForm);
        router.post("/sign-in").handler(context -> guard.handleForm(context, fields -> signIn(context, fields)));
        router.post("/sign-out")
                .handler(context -> guard.handleForm(context, (consoleUser, fields) -> {
                    guard.signOut(context, consoleUser);
                    ConsoleResponses.redirect(context, "/sign-in");
                }));
    }

    /**
     * Shows the sign-in page. Loading the page does not redeem the code of a sign-in link, because programs other than
     * browsers load links to show a preview; the page's form sends the code.
     */
    private void showForm(RoutingContext context) {
        if (!guard.requireOwnHost(context)) {
            return;
        }
        Optional<String> code = Optional.ofNullable(context.request().getParam("code"));
        boolean signedOut = guard.currentUser(context.request()).isEmpty();
        if (code.isEmpty() && !signedOut) {
            ConsoleResponses.redirect(context, "/");
            return;
        }
        ConsoleResponses.sendPage(
                context,
                200,
                SignInAndRefusalRenderer.signIn(
                        new SignInPage(PageLayoutData.anonymous("Sign in"), code, signedOut, Optional.empty())));
    }

    private void signIn(RoutingContext context, FormFields fields) {
        Optional<String> code = fields.text("code");
        if (code.isPresent()) {
            codes.redeem(code.get())
                    .ifPresentOrElse(
                            token -> startSession(context, token),
                            () -> ConsoleRequestGuard.showSignInError(
                                    context,
                                    403,
                                    "This link was already used or has expired. A link works once, within "
                                            + codes.validityText() + ". Sign in with your token, or restart the"
                                            + " server to get another link."));
            return;
        }
        String token = fields.text("token").orElse("");
        switch (tokenAuthenticator.authenticate("Bearer " + token)) {
            case Unauthenticated _ ->
                ConsoleRequestGuard.showSignInError(
                        context, 403, "This token is unknown, expired or revoked. Check that you entered all of it.");
            case Authenticated _ -> startSession(context, TokenHash.of(token));
        }
    }

    private void startSession(RoutingContext context, TokenHash token) {
        switch (tokenAuthenticator.authenticateHash(token)) {
            case Unauthenticated _ ->
                ConsoleRequestGuard.showSignInError(
                        context, 403, "The token for which this link was created is expired or revoked.");
            case Authenticated _ -> {
                guard.signIn(context, sessionCookies.create(token));
                ConsoleResponses.redirect(context, "/");
            }
        }
    }
}
