package dev.gavel.app.edge.console.session;

import dev.gavel.console.Frame;
import dev.gavel.console.Pages;
import dev.gavel.console.Refused;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Sends pages, each with what keeps a browser from doing more with it than it is for. Stateless. */
public final class Replies {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    /** Under which a request carries whom it is answered. */
    private static final String VISITOR = Visitor.class.getName();

    private Replies() {}

    /** What everything the console sends says of itself. */
    public static HttpServerResponse guarded(RoutingContext context) {
        return context.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                // Not no-referrer: with that a browser sends 'Origin: null' with our own forms.
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    public static void page(RoutingContext context, int status, String html) {
        if (context.response().ended() || context.response().closed()) {
            return;
        }
        guarded(context)
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(html);
    }

    /** Sends on to another page; what was posted is not posted again there. */
    public static void redirect(RoutingContext context, String path) {
        if (byScript(context)) {
            // A script would follow by itself, and put the other page where a part of this one was to be.
            guarded(context).putHeader("HX-Redirect", path).setStatusCode(200).end();
            return;
        }
        guarded(context)
                .setStatusCode(303)
                .putHeader(HttpHeaders.LOCATION, path)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end();
    }

    /** Says that something is not done, and why: on a page of its own, or where an open page tells its news. */
    public static void refuse(RoutingContext context, int status, String heading, String why) {
        if (byScript(context)) {
            // The card that was asked about stays as it is.
            context.response().putHeader("HX-Retarget", "#news").putHeader("HX-Reswap", "innerHTML");
            page(context, status, Pages.line(heading + ". " + why));
            return;
        }
        Refused refused = context.get(VISITOR) instanceof Visitor visitor
                ? refused(context, visitor, heading, why)
                : new Refused(Frame.plain(heading), heading, why, "/", "To what waits on you");
        page(context, status, Pages.refused(refused));
    }

    /** Notes who is answered: who is signed in is still where they were, also on a page that refuses something. */
    static void answers(RoutingContext context, Visitor visitor) {
        context.put(VISITOR, visitor);
    }

    private static Refused refused(RoutingContext context, Visitor visitor, String heading, String why) {
        Frame.Place place = place(context.normalizedPath(), visitor);
        Frame frame = visitor.frame(heading, place);
        return switch (place) {
            case TOPICS -> new Refused(frame, heading, why, "/console/topics", "To your topics");
            case SEPS -> new Refused(frame, heading, why, "/console/seps", "To the SEPs");
            case ADMIN -> new Refused(frame, heading, why, "/console/admin", "To the administration");
            case INBOX, DOOR -> new Refused(frame, heading, why, "/", "To what waits on you");
        };
    }

    /** The part of the console that an address belongs to, of those that a visitor is shown. */
    private static Frame.Place place(String path, Visitor visitor) {
        if (path.startsWith("/console/topics")) {
            return Frame.Place.TOPICS;
        }
        if (path.startsWith("/console/seps")) {
            return Frame.Place.SEPS;
        }
        return path.startsWith("/console/admin") && visitor.admin() ? Frame.Place.ADMIN : Frame.Place.INBOX;
    }

    /** Whether a part of an open page is wanted, not a page. */
    public static boolean byScript(RoutingContext context) {
        return "true".equals(context.request().getHeader("HX-Request"));
    }
}
