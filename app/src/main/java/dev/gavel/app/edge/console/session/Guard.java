package dev.gavel.app.edge.console.session;

import dev.gavel.app.edge.Bodies;
import dev.gavel.app.edge.Hosts;
import dev.gavel.app.edge.Origins;
import dev.gavel.app.identity.Authentication;
import dev.gavel.app.identity.Identities;
import dev.gavel.console.Frame;
import dev.gavel.console.Pages;
import dev.gavel.console.SignIn;
import dev.gavel.gateway.Gateway;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Sees to it that pages are asked for under our own name, forms come from our own pages, and whoever asks is signed in.
 * Thread-safe.
 */
public final class Guard {
    private final Hosts hosts;
    private final Origins origins;
    private final Identities identities;
    private final Sessions sessions;
    private final Gateway gateway;
    private final boolean secure;
    private final Optional<URI> publicUrl;

    /**
     * A guard.
     *
     * @param secure whether browsers reach the server by TLS alone
     * @param publicUrl where they reach it, if that is elsewhere than where it listens
     */
    public Guard(
            Hosts hosts,
            Origins origins,
            Identities identities,
            Sessions sessions,
            Gateway gateway,
            boolean secure,
            Optional<URI> publicUrl) {
        this.hosts = hosts;
        this.origins = origins;
        this.identities = identities;
        this.sessions = sessions;
        this.gateway = gateway;
        this.secure = secure;
        this.publicUrl = publicUrl;
    }

    /** Lets a request go on that came under our own name. */
    public boolean ours(RoutingContext context) {
        if (hosts.allows(context.request())) {
            return true;
        }
        Replies.refuse(
                context,
                403,
                "Not under this name",
                "This server is not known by the host name in the address. Use its own, or set publicUrl in its"
                        + " configuration.");
        return false;
    }

    /** Reads a form that a page of ours sent, whoever sent it. */
    void form(RoutingContext context, Consumer<Fields> then) {
        form(context, Fields.LONGEST, then);
    }

    private void form(RoutingContext context, int longest, Consumer<Fields> then) {
        if (!ours(context)) {
            return;
        }
        if (!origins.allows(context.request())) {
            Replies.refuse(context, 403, "Not from there", "A page of another site sent this. Nothing was done.");
            return;
        }
        Bodies.read(context, longest, body -> then.accept(Fields.read(body)));
    }

    /** Reads a form of somebody who is signed in, and sent it themselves. */
    public void form(RoutingContext context, BiConsumer<Visitor, Fields> then) {
        form(context, Fields.LONGEST, then);
    }

    /** The same of a form that may be long; nobody else can have us read so much. */
    public void longForm(RoutingContext context, int longest, BiConsumer<Visitor, Fields> then) {
        if (visitor(context.request()).isEmpty()) {
            Replies.redirect(context, "/sign-in");
        } else {
            form(context, longest, then);
        }
    }

    /**
     * Reads a form of somebody who is signed in, and sent it themselves.
     *
     * @param longest how many bytes it may have
     */
    public void form(RoutingContext context, int longest, BiConsumer<Visitor, Fields> then) {
        form(context, longest, fields -> {
            Optional<Visitor> visitor = visitor(context.request());
            visitor.ifPresent(each -> Replies.answers(context, each));
            if (visitor.isEmpty()) {
                Replies.redirect(context, "/sign-in");
            } else if (!visitor.get().session().wrote(fields.text("csrf").orElse(null))) {
                Replies.refuse(
                        context,
                        403,
                        "Not done",
                        "The form is of another session, or none of ours. Load the page anew and try again.");
            } else if (welcome(context, visitor.get())) {
                then.accept(visitor.get(), fields);
            }
        });
    }

    /** Lets somebody who is signed in see a page; everybody else may sign in. */
    public void page(RoutingContext context, Consumer<Visitor> then) {
        if (!ours(context)) {
            return;
        }
        Optional<Visitor> visitor = visitor(context.request());
        visitor.ifPresent(each -> Replies.answers(context, each));
        if (visitor.isPresent()) {
            if (welcome(context, visitor.get())) {
                then.accept(visitor.get());
            }
        } else if ("cross-site".equals(context.request().getHeader("Sec-Fetch-Site"))) {
            // Coming by a link elsewhere, a browser keeps our cookie to itself; from here it brings it.
            Replies.page(context, 200, Pages.again());
        } else {
            Replies.redirect(context, "/sign-in");
        }
    }

    private boolean welcome(RoutingContext context, Visitor visitor) {
        if (gateway.draining()) {
            Replies.refuse(context, 503, "Stopping", "The gateway is about to stop. Try again in a moment.");
            return false;
        }
        if (!gateway.mayJoin(visitor.id())) {
            Replies.refuse(context, 429, "Too fast", "You ask faster than you may. Wait a moment, and load it anew.");
            return false;
        }
        return true;
    }

    /** Who is signed in. */
    public Optional<Visitor> visitor(HttpServerRequest request) {
        Cookie cookie = request.getCookie(name(request));
        return sessions.read(cookie == null ? null : cookie.getValue())
                .flatMap(session -> identities.recognise(session.token()) instanceof Authentication.Authenticated known
                        ? Optional.of(new Visitor(known.identity(), known.warrant(), session, sessions))
                        : Optional.empty());
    }

    /**
     * Browsers do not tell the ports of a host apart, and there may be two of us on one. Behind a balancer the port that
     * counts is the balancer's: gateways that listen on different ports share their sessions.
     */
    private String name(HttpServerRequest request) {
        int port = publicUrl.map(URI::getPort).orElse(request.localAddress().port());
        return port < 0 ? "gavel-session" : "gavel-session-" + port;
    }

    /** Has the browser come as that session from now on. */
    void signIn(RoutingContext context, Sessions.Session session) {
        context.response().addCookie(cookie(context, session.cookie()).setMaxAge(Sessions.LONGEST.toSeconds()));
    }

    /** Ends a session, for whoever else has its cookie too. */
    void signOut(RoutingContext context, Visitor visitor) {
        sessions.end(visitor.session());
        context.response().addCookie(cookie(context, "").setMaxAge(0));
    }

    private Cookie cookie(RoutingContext context, String value) {
        return Cookie.cookie(name(context.request()), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure)
                .setSameSite(CookieSameSite.STRICT);
    }

    /** The page to sign in, with why that came to nothing. */
    static void door(RoutingContext context, int status, String complaint) {
        Replies.page(
                context,
                status,
                Pages.signIn(new SignIn(Frame.plain("Sign in"), Optional.empty(), false, Optional.of(complaint))));
    }
}
