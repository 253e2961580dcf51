package dev.gavel.web.console.session;

import dev.gavel.gateway.Gateway;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.ConsoleHost;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.identity.AuthenticationResult;
import dev.gavel.web.identity.TokenAuthenticator;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Checks host, origin, session, CSRF token and request rate before a console page or form is handled. Thread-safe. */
public final class ConsoleRequestGuard {
    /** Clients that are not signed in can send this form, so it is short: a token or a code. */
    private static final int MAX_SIGN_IN_BYTES = 8 * 1024;

    private final ConsoleHost consoleHost;
    private final AllowedOrigins origins;
    private final TokenAuthenticator tokenAuthenticator;
    private final SessionCookies sessionCookies;
    private final Gateway gateway;
    private final boolean secure;
    private final Optional<URI> publicUrl;
    private final ProposalTerms terms;

    /**
     * Creates a guard.
     *
     * @param secure whether browsers reach the server only by TLS
     * @param publicUrl the URL at which browsers reach the server, if it differs from the listen address
     * @param terms how pages name specification proposals
     */
    public ConsoleRequestGuard(
            ConsoleHost consoleHost,
            AllowedOrigins origins,
            TokenAuthenticator tokenAuthenticator,
            SessionCookies sessionCookies,
            Gateway gateway,
            boolean secure,
            Optional<URI> publicUrl,
            ProposalTerms terms) {
        this.consoleHost = consoleHost;
        this.origins = origins;
        this.tokenAuthenticator = tokenAuthenticator;
        this.sessionCookies = sessionCookies;
        this.gateway = gateway;
        this.secure = secure;
        this.publicUrl = publicUrl;
        this.terms = terms;
    }

    /** Whether the request is for the console's host; refuses it otherwise. */
    public boolean requireOwnHost(RoutingContext context) {
        switch (consoleHost.match(context.request())) {
            case CONSOLE -> {
                return true;
            }
            case LOOPBACK ->
                ConsoleResponses.refuseAsText(
                        context,
                        404,
                        "The console is not at this address. To see its address, run 'gavel console' in the directory in"
                                + " which the server was started, or look at the output of 'gavel serve'.");
            case NOT_SERVED ->
                ConsoleResponses.refuseAsText(
                        context,
                        404,
                        "This server has no console, because it listens on an address that is not a loopback address."
                                + " Set publicUrl in its configuration (or GAVEL_PUBLIC_URL) to the URL that browsers"
                                + " use.");
            case OTHER ->
                ConsoleResponses.refuseAsText(
                        context,
                        403,
                        "The console does not accept the host name in the address. To see the console's address, run"
                                + " 'gavel console' on the server. Behind a proxy, set publicUrl in the server's"
                                + " configuration, and let the proxy pass on the Host header.");
        }
        return false;
    }

    /** Reads the sign-in form, whether or not the user is signed in. */
    void handleSignInForm(RoutingContext context, Consumer<FormFields> then) {
        readForm(context, MAX_SIGN_IN_BYTES, then);
    }

    private void readForm(RoutingContext context, int longest, Consumer<FormFields> then) {
        if (!requireOwnHost(context)) {
            return;
        }
        if (!origins.allows(context.request())) {
            ConsoleResponses.refuse(
                    context, 403, "Request refused", "A page of another site sent this request. Nothing was changed.");
            return;
        }
        RequestBodyReader.read(context, longest, body -> then.accept(FormFields.parse(body)));
    }

    /** Reads a form that a signed-in user sent, and checks its CSRF token. */
    public void handleForm(RoutingContext context, BiConsumer<ConsoleUser, FormFields> then) {
        handleForm(context, FormFields.MAX_BYTES, then);
    }

    /**
     * Reads a form that a signed-in user sent, and checks its CSRF token. Checks the session before it reads the body,
     * too, so that only a signed-in user can make the server read that much.
     *
     * @param longest the maximum size of the body, in bytes
     */
    public void handleForm(RoutingContext context, int longest, BiConsumer<ConsoleUser, FormFields> then) {
        if (!requireOwnHost(context)) {
            return;
        }
        if (currentUser(context.request()).isEmpty()) {
            ConsoleResponses.redirect(context, "/sign-in");
            return;
        }
        readForm(context, longest, fields -> {
            Optional<ConsoleUser> consoleUser = currentUser(context.request());
            consoleUser.ifPresent(each -> ConsoleResponses.setUser(context, each));
            if (consoleUser.isEmpty()) {
                ConsoleResponses.redirect(context, "/sign-in");
            } else if (!consoleUser
                    .get()
                    .session()
                    .matchesCsrf(fields.text("csrf").orElse(null))) {
                ConsoleResponses.refuse(
                        context,
                        403,
                        "Form refused",
                        "The form does not belong to your session. Reload the page and try again.");
            } else if (admit(context, consoleUser.get())) {
                then.accept(consoleUser.get(), fields);
            }
        });
    }

    /** Continues with the signed-in user, or redirects to the sign-in page. */
    public void handlePage(RoutingContext context, Consumer<ConsoleUser> then) {
        if (!requireOwnHost(context)) {
            return;
        }
        Optional<ConsoleUser> consoleUser = currentUser(context.request());
        consoleUser.ifPresent(each -> ConsoleResponses.setUser(context, each));
        if (consoleUser.isPresent()) {
            if (admit(context, consoleUser.get())) {
                then.accept(consoleUser.get());
            }
        } else if ("cross-site".equals(context.request().getHeader("Sec-Fetch-Site"))) {
            // When a user follows a link on another site, the browser withholds the session cookie; a reload from this
            // page sends it.
            ConsoleResponses.sendPage(context, 200, SignInAndRefusalRenderer.reload());
        } else {
            ConsoleResponses.redirect(context, "/sign-in");
        }
    }

    private boolean admit(RoutingContext context, ConsoleUser consoleUser) {
        if (gateway.isDraining()) {
            ConsoleResponses.refuse(
                    context, 503, "Shutting down", "The server is shutting down. Try again in a moment.");
            return false;
        }
        if (!gateway.tryAcquireRequest(consoleUser.id())) {
            ConsoleResponses.refuse(
                    context,
                    429,
                    "Too many requests",
                    "You sent too many requests. Wait a moment, then reload the page.");
            return false;
        }
        return true;
    }

    /**
     * Returns the user who is signed in, if any. A browser can send several cookies of this name, because other hosts
     * can set cookies for this one; those do not carry a valid session of this host.
     */
    public Optional<ConsoleUser> currentUser(HttpServerRequest request) {
        String name = cookieName(request);
        // Vert.x would return only one of several cookies of the same name.
        Optional<ConsoleUser> user = request.headers().getAll(HttpHeaders.COOKIE).stream()
                .flatMap(header -> ServerCookieDecoder.STRICT.decodeAll(header).stream())
                .filter(cookie -> cookie.name().equals(name))
                .flatMap(cookie -> sessionCookies.read(cookie.value()).stream())
                .flatMap(session -> tokenAuthenticator.authenticateHash(session.token())
                                instanceof AuthenticationResult.Authenticated known
                        ? Stream.of(new ConsoleUser(
                                known.identity(), known.revocableAccessGrant(), session, sessionCookies, terms))
                        : Stream.empty())
                .findFirst();
        user.ifPresent(signedIn -> ConnectionLimiter.markAuthenticated(request, signedIn.id(), signedIn.accessGrant()));
        return user;
    }

    /**
     * Returns the name of the session cookie. It contains the port, because browsers share cookies between the ports of
     * a host, and two servers may run on one host. Behind a load balancer the balancer's port counts, so that gateways
     * that listen on different ports share their sessions. The prefix makes browsers accept the cookie only over TLS
     * and only from this host itself.
     */
    private String cookieName(HttpServerRequest request) {
        int port = publicUrl.map(URI::getPort).orElse(request.localAddress().port());
        return (secure ? "__Host-" : "") + (port < 0 ? "gavel-session" : "gavel-session-" + port);
    }

    /** Sets the session's cookie in the browser. */
    void signIn(RoutingContext context, SessionCookies.ConsoleSession session) {
        context.response().addCookie(cookie(context, session.cookie()).setMaxAge(SessionCookies.MAX_AGE.toSeconds()));
    }

    /** Ends a session, also for all other browsers that have its cookie. */
    void signOut(RoutingContext context, ConsoleUser consoleUser) {
        sessionCookies.end(consoleUser.session());
        context.response().addCookie(cookie(context, "").setMaxAge(0));
    }

    private Cookie cookie(RoutingContext context, String value) {
        return Cookie.cookie(cookieName(context.request()), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT);
    }

    /** Sends the sign-in page with the reason why signing in failed. */
    static void showSignInError(RoutingContext context, int status, String complaint) {
        ConsoleResponses.sendPage(
                context,
                status,
                SignInAndRefusalRenderer.signIn(new SignInPage(
                        PageLayoutData.anonymous("Sign in"), Optional.empty(), false, Optional.of(complaint))));
    }
}
