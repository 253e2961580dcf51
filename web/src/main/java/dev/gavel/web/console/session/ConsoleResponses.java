package dev.gavel.web.console.session;

import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.http.ResponseBodies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Sends console pages, redirects and refusals with the security headers that browsers need. Stateless. */
public final class ConsoleResponses {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    /** The key under which the routing context holds the signed-in user. */
    private static final String USER_KEY = ConsoleUser.class.getName();

    private static final String TOO_MUCH_DATA =
            "Too many pages are being loaded at the same time. Wait a moment, then load this page again.";

    private ConsoleResponses() {}

    /** Adds the security headers of every console response. */
    public static HttpServerResponse withSecurityHeaders(RoutingContext context) {
        return context.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                // Not no-referrer: with that value, a browser sends 'Origin: null' with the console's own forms.
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
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        ResponseBodies.end(
                context.request(),
                Buffer.buffer(html),
                problem -> refuse(context, problem.status(), "Too much data", TOO_MUCH_DATA));
    }

    /** Redirects to another page. The browser does not repeat a POST there. */
    public static void redirect(RoutingContext context, String path) {
        if (isHtmxRequest(context)) {
            // The script would follow the redirect itself and insert the other page into a part of this one.
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

    /** Refuses a request with a reason: on a separate page, or in the message area of the open page. */
    public static void refuse(RoutingContext context, int status, String heading, String reason) {
        if (isHtmxRequest(context)) {
            // The card that the request concerns stays as it is.
            context.response().putHeader("HX-Retarget", "#news").putHeader("HX-Reswap", "innerHTML");
            sendPage(context, status, SignInAndRefusalRenderer.message(heading + ". " + reason));
            return;
        }
        RefusalPage refusalPage = context.get(USER_KEY) instanceof ConsoleUser consoleUser
                ? refusalPage(context, consoleUser, heading, reason)
                : new RefusalPage(PageLayoutData.anonymous(heading), heading, reason, "/", "Go to the inbox");
        sendPage(context, status, SignInAndRefusalRenderer.refusal(refusalPage));
    }

    /** Refuses a request at a host that is not the console's. The console's style sheets are not served there. */
    static void refuseAsText(RoutingContext context, int status, String reason) {
        withSecurityHeaders(context)
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(reason + "\n");
    }

    /** Stores the signed-in user for the response, so that a refusal page also shows the user and the section. */
    static void setUser(RoutingContext context, ConsoleUser consoleUser) {
        context.put(USER_KEY, consoleUser);
    }

    private static RefusalPage refusalPage(
            RoutingContext context, ConsoleUser consoleUser, String heading, String reason) {
        PageLayoutData.Section section = section(context.normalizedPath(), consoleUser);
        PageLayoutData frame = consoleUser.frame(heading, section);
        return switch (section) {
            case TOPICS -> new RefusalPage(frame, heading, reason, "/console/topics", "Go to your topics");
            case SEPS ->
                new RefusalPage(
                        frame,
                        heading,
                        reason,
                        "/console/seps",
                        "Go to the " + consoleUser.terms().plural());
            case ADMIN -> new RefusalPage(frame, heading, reason, "/console/admin", "Go to administration");
            case INBOX, SIGNED_OUT -> new RefusalPage(frame, heading, reason, "/", "Go to the inbox");
        };
    }

    /** Returns the section to which a path belongs, among the sections that the user may see. */
    private static PageLayoutData.Section section(String path, ConsoleUser consoleUser) {
        if (path.startsWith("/console/topics")) {
            return PageLayoutData.Section.TOPICS;
        }
        if (path.startsWith("/console/seps")) {
            return PageLayoutData.Section.SEPS;
        }
        return path.startsWith("/console/admin") && consoleUser.isAdmin()
                ? PageLayoutData.Section.ADMIN
                : PageLayoutData.Section.INBOX;
    }

    /** Whether the request is for a part of an open page, not for a whole page. */
    public static boolean isHtmxRequest(RoutingContext context) {
        return "true".equals(context.request().getHeader("HX-Request"));
    }
}
