package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageFrame;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Sends console pages, redirects and refusals with the security headers that browsers need. Stateless. */
public final class ConsoleResponses {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    /** Under which a request carries whom it is answered. */
    private static final String VISITOR = ConsoleUser.class.getName();

    private ConsoleResponses() {}

    /** What everything the console sends says of itself. */
    public static HttpServerResponse withSecurityHeaders(RoutingContext context) {
        return context.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                // Not no-referrer: with that a browser sends 'Origin: null' with our own forms.
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    public static void sendPage(RoutingContext context, int status, String html) {
        if (context.response().ended() || context.response().closed()) {
            return;
        }
        withSecurityHeaders(context)
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(html);
    }

    /** Sends on to another page; what was posted is not posted again there. */
    public static void redirect(RoutingContext context, String path) {
        if (isHtmxRequest(context)) {
            // A script would follow by itself, and put the other page where a part of this one was to be.
            withSecurityHeaders(context)
                    .putHeader("HX-Redirect", path)
                    .setStatusCode(200)
                    .end();
            return;
        }
        withSecurityHeaders(context)
                .setStatusCode(303)
                .putHeader(HttpHeaders.LOCATION, path)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end();
    }

    /** Says that something is not done, and why: on a page of its own, or where an open page tells its news. */
    public static void refuse(RoutingContext context, int status, String heading, String why) {
        if (isHtmxRequest(context)) {
            // The card that was asked about stays as it is.
            context.response().putHeader("HX-Retarget", "#news").putHeader("HX-Reswap", "innerHTML");
            sendPage(context, status, SignInAndRefusalRenderer.message(heading + ". " + why));
            return;
        }
        RefusalPage refusalPage = context.get(VISITOR) instanceof ConsoleUser consoleUser
                ? refusalPage(context, consoleUser, heading, why)
                : new RefusalPage(PageFrame.anonymous(heading), heading, why, "/", "To what waits on you");
        sendPage(context, status, SignInAndRefusalRenderer.refusal(refusalPage));
    }

    /** Notes who is answered: who is signed in is still where they were, also on a page that refuses something. */
    static void setUser(RoutingContext context, ConsoleUser consoleUser) {
        context.put(VISITOR, consoleUser);
    }

    private static RefusalPage refusalPage(
            RoutingContext context, ConsoleUser consoleUser, String heading, String why) {
        PageFrame.Section section = section(context.normalizedPath(), consoleUser);
        PageFrame frame = consoleUser.frame(heading, section);
        return switch (section) {
            case TOPICS -> new RefusalPage(frame, heading, why, "/console/topics", "To your topics");
            case SEPS -> new RefusalPage(frame, heading, why, "/console/seps", "To the SEPs");
            case ADMIN -> new RefusalPage(frame, heading, why, "/console/admin", "To the administration");
            case INBOX, DOOR -> new RefusalPage(frame, heading, why, "/", "To what waits on you");
        };
    }

    /** The part of the console that an address belongs to, of those that a visitor is shown. */
    private static PageFrame.Section section(String path, ConsoleUser consoleUser) {
        if (path.startsWith("/console/topics")) {
            return PageFrame.Section.TOPICS;
        }
        if (path.startsWith("/console/seps")) {
            return PageFrame.Section.SEPS;
        }
        return path.startsWith("/console/admin") && consoleUser.isAdmin()
                ? PageFrame.Section.ADMIN
                : PageFrame.Section.INBOX;
    }

    /** Whether a part of an open page is wanted, not a page. */
    public static boolean isHtmxRequest(RoutingContext context) {
        return "true".equals(context.request().getHeader("HX-Request"));
    }
}
