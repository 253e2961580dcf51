package dev.gavel.web.console.session;

import dev.gavel.gateway.Gateway;
import dev.gavel.web.console.page.PageFrame;
import dev.gavel.web.http.AllowedHosts;
import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.identity.AuthenticationResult;
import dev.gavel.web.identity.TokenAuthenticator;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Checks host, origin, session, CSRF token and request rate before a console page or form is handled. Thread-safe. */
public final class ConsoleRequestGuard {
    private final AllowedHosts hosts;
    private final AllowedOrigins origins;
    private final TokenAuthenticator tokenAuthenticator;
    private final SessionCookies sessionCookies;
    private final Gateway gateway;
    private final boolean secure;
    private final Optional<URI> publicUrl;

    /**
     * A guard.
     *
     * @param secure whether browsers reach the server by TLS alone
     * @param publicUrl where they reach it, if that is elsewhere than where it listens
     */
    public ConsoleRequestGuard(
            AllowedHosts hosts,
            AllowedOrigins origins,
            TokenAuthenticator tokenAuthenticator,
            SessionCookies sessionCookies,
            Gateway gateway,
            boolean secure,
            Optional<URI> publicUrl) {
        this.hosts = hosts;
        this.origins = origins;
        this.tokenAuthenticator = tokenAuthenticator;
        this.sessionCookies = sessionCookies;
        this.gateway = gateway;
        this.secure = secure;
        this.publicUrl = publicUrl;
    }

    /** Lets a request go on that came under our own name. */
    public boolean requireOwnHost(RoutingContext context) {
        if (hosts.allows(context.request())) {
            return true;
        }
        ConsoleResponses.refuse(
                context,
                403,
                "Not under this name",
                "This server is not known by the host name in the address. Use its own, or set publicUrl in its"
                        + " configuration.");
        return false;
    }

    /** Reads a form that a page of ours sent, whoever sent it. */
    void handleForm(RoutingContext context, Consumer<FormFields> then) {
        handleForm(context, FormFields.MAX_BYTES, then);
    }

    private void handleForm(RoutingContext context, int longest, Consumer<FormFields> then) {
        if (!requireOwnHost(context)) {
            return;
        }
        if (!origins.allows(context.request())) {
            ConsoleResponses.refuse(
                    context, 403, "Not from there", "A page of another site sent this. Nothing was done.");
            return;
        }
        RequestBodyReader.read(context, longest, body -> then.accept(FormFields.parse(body)));
    }

    /** Reads a form of somebody who is signed in, and sent it themselves. */
    public void handleForm(RoutingContext context, BiConsumer<ConsoleUser, FormFields> then) {
        handleForm(context, FormFields.MAX_BYTES, then);
    }

    /** The same of a form that may be long; nobody else can have us read so much. */
    public void handleLongForm(RoutingContext context, int longest, BiConsumer<ConsoleUser, FormFields> then) {
        if (currentUser(context.request()).isEmpty()) {
            ConsoleResponses.redirect(context, "/sign-in");
        } else {
            handleForm(context, longest, then);
        }
    }

    /**
     * Reads a form of somebody who is signed in, and sent it themselves.
     *
     * @param longest how many bytes it may have
     */
    public void handleForm(RoutingContext context, int longest, BiConsumer<ConsoleUser, FormFields> then) {
        handleForm(context, longest, fields -> {
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
                        "Not done",
                        "The form is of another session, or none of ours. Load the page anew and try again.");
            } else if (admit(context, consoleUser.get())) {
                then.accept(consoleUser.get(), fields);
            }
        });
    }

    /** Lets somebody who is signed in see a page; everybody else may sign in. */
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
            // Coming by a link elsewhere, a browser keeps our cookie to itself; from here it brings it.
            ConsoleResponses.sendPage(context, 200, SignInAndRefusalRenderer.reload());
        } else {
            ConsoleResponses.redirect(context, "/sign-in");
        }
    }

    private boolean admit(RoutingContext context, ConsoleUser consoleUser) {
        if (gateway.isDraining()) {
            ConsoleResponses.refuse(context, 503, "Stopping", "The gateway is about to stop. Try again in a moment.");
            return false;
        }
        if (!gateway.mayJoin(consoleUser.id())) {
            ConsoleResponses.refuse(
                    context, 429, "Too fast", "You ask faster than you may. Wait a moment, and load it anew.");
            return false;
        }
        return true;
    }

    /** Who is signed in. */
    public Optional<ConsoleUser> currentUser(HttpServerRequest request) {
        Cookie cookie = request.getCookie(cookieName(request));
        return sessionCookies
                .read(cookie == null ? null : cookie.getValue())
                .flatMap(session -> tokenAuthenticator.authenticateHash(session.token())
                                instanceof AuthenticationResult.Authenticated known
                        ? Optional.of(new ConsoleUser(
                                known.identity(), known.revocableAccessGrant(), session, sessionCookies))
                        : Optional.empty());
    }

    /**
     * Browsers do not tell the ports of a host apart, and there may be two of us on one. Behind a balancer the port that
     * counts is the balancer's: gateways that listen on different ports share their sessions.
     */
    private String cookieName(HttpServerRequest request) {
        int port = publicUrl.map(URI::getPort).orElse(request.localAddress().port());
        return port < 0 ? "gavel-session" : "gavel-session-" + port;
    }

    /** Has the browser come as that session from now on. */
    void signIn(RoutingContext context, SessionCookies.ConsoleSession session) {
        context.response().addCookie(cookie(context, session.cookie()).setMaxAge(SessionCookies.MAX_AGE.toSeconds()));
    }

    /** Ends a session, for whoever else has its cookie too. */
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

    /** The page to sign in, with why that came to nothing. */
    static void showSignInError(RoutingContext context, int status, String complaint) {
        ConsoleResponses.sendPage(
                context,
                status,
                SignInAndRefusalRenderer.signIn(new SignInPage(
                        PageFrame.anonymous("Sign in"), Optional.empty(), false, Optional.of(complaint))));
    }
}
