package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.http.ClientAddressKey;
import dev.gavel.web.http.ProxyAddresses;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.metrics.RefusedRequestCounter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the sign-in page and the forms by which a user signs in with a token or a link, and signs out. Thread-safe.
 */
public final class SignInController {
    private static final Logger log = LoggerFactory.getLogger(SignInController.class);

    /**
     * Tokens of this length are checked even if too many sign-ins have failed. Guessing them is not feasible: the server refuses
     * tokens with patterns.
     */
    private static final int MIN_UNGUESSABLE_LENGTH = 20;

    private final ConsoleRequestGuard guard;
    private final TokenAuthenticator tokenAuthenticator;
    private final SessionCookies sessionCookies;
    private final SignInCodes codes;
    private final ProxyAddresses proxies;
    private final RefusedRequestCounter failedSignIns;
    private final SignInThrottle throttle;

    /**
     * Creates the controller.
     *
     * @param proxies tells a client's address if the client is behind a proxy
     * @param failedSignIns counts failed sign-ins by reason
     */
    public SignInController(
            ConsoleRequestGuard guard,
            TokenAuthenticator tokenAuthenticator,
            SessionCookies sessionCookies,
            SignInCodes codes,
            ProxyAddresses proxies,
            RefusedRequestCounter failedSignIns,
            InstantSource clock) {
        this.guard = guard;
        this.tokenAuthenticator = tokenAuthenticator;
        this.sessionCookies = sessionCookies;
        this.codes = codes;
        this.proxies = proxies;
        this.failedSignIns = failedSignIns;
        this.throttle = new SignInThrottle(clock);
    }

    public void mount(Router router) {
        router.get("/sign-in").handler(this::showForm);
        router.post("/sign-in").handler(context -> guard.handleSignInForm(context, fields -> signIn(context, fields)));
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

    /**
     * Checks a token or a code. If too many checks have failed, checks only codes and long tokens: they cannot be
     * guessed, and so a program that fails on purpose does not keep users out.
     */
    private void signIn(RoutingContext context, FormFields fields) {
        String address = ClientAddressKey.of(proxies.clientAddress(context.request()));
        Duration delay = throttle.delay(address);
        Optional<String> code = fields.text("code");
        String token = fields.text("token").orElse("");
        boolean guessable = code.isEmpty() && token.length() < MIN_UNGUESSABLE_LENGTH;
        Optional<TokenHash> valid = guessable && delay.isPositive()
                ? Optional.empty()
                : code.map(codes::redeem).orElseGet(() -> authenticate(token));
        if (valid.isPresent()) {
            startSession(context, valid.get());
        } else if (delay.isPositive()) {
            failedSignIns.count("throttled");
            long seconds = Math.max(1, delay.plusMillis(999).toSeconds());
            context.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
            ConsoleRequestGuard.showSignInError(
                    context, 429, "Too many sign-ins have failed. Wait " + seconds + " seconds, then try again.");
        } else if (code.isPresent()) {
            recordFailure(address, "code");
            ConsoleRequestGuard.showSignInError(
                    context,
                    403,
                    "This link was already used or has expired. A link works once, within "
                            + codes.validityText() + ". Sign in with your token, or restart the"
                            + " server to get another link.");
        } else {
            recordFailure(address, "token");
            ConsoleRequestGuard.showSignInError(
                    context, 403, "This token is unknown, expired or revoked. Check that you entered all of it.");
        }
    }

    private Optional<TokenHash> authenticate(String token) {
        return tokenAuthenticator.authenticate("Bearer " + token) instanceof Authenticated
                ? Optional.of(TokenHash.of(token))
                : Optional.empty();
    }

    /** Counts and logs a failed sign-in. The throttle bounds the number of log lines. */
    private void recordFailure(String address, String reason) {
        throttle.recordFailure(address);
        failedSignIns.count(reason);
        log.atWarn()
                .addKeyValue("address", address)
                .addKeyValue("reason", reason)
                .log("A sign-in to the console failed.");
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
