package dev.gavel.app.edge.console.admin;

import dev.gavel.app.edge.Orders;
import dev.gavel.app.edge.Problem;
import dev.gavel.app.edge.console.live.Live;
import dev.gavel.app.edge.console.live.Watch;
import dev.gavel.app.edge.console.session.Fields;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.app.edge.console.session.Waiting;
import dev.gavel.console.Frame;
import dev.gavel.console.admin.Paths;
import dev.gavel.mcpx.text.SafeText;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Lets admins through, and nobody else: at every page and every form. Thread-safe. */
final class Admins {
    /** Where their pages listen. */
    static final String LIVE = Paths.HOME + "/live";

    private final Guard guard;
    private final Live live;

    Admins(Guard guard, Live live) {
        this.guard = guard;
        this.live = live;
    }

    void page(RoutingContext context, Consumer<Visitor> then) {
        guard.page(context, visitor -> {
            if (isOne(context, visitor)) {
                then.accept(visitor);
            }
        });
    }

    void form(RoutingContext context, BiConsumer<Visitor, Fields> then) {
        guard.form(context, (visitor, fields) -> {
            if (isOne(context, visitor)) {
                then.accept(visitor, fields);
            }
        });
    }

    private static boolean isOne(RoutingContext context, Visitor visitor) {
        if (!visitor.admin()) {
            Replies.refuse(
                    context,
                    403,
                    "For admins",
                    "This page is for those with the role admin, and you do not have it. Ask one of them.");
        }
        return visitor.admin();
    }

    Frame frame(Visitor visitor, String title) {
        return visitor.frame(title, Frame.Place.ADMIN).live(LIVE, live.mark());
    }

    /**
     * Tells their pages nothing of what happens, which they ask for by time. But whoever looks at one is still there in
     * their topics, and is signed out the moment their token is revoked.
     */
    void listen(RoutingContext context) {
        live.listen(context, visitor -> new Watch(matter -> false));
    }

    static Orders.By by(Visitor visitor) {
        return new Orders.By(visitor.id(), visitor.warrant());
    }

    /** Goes on when an order was carried out, or with why it was not; who may no longer order anything is sent away. */
    static <T> void when(
            CompletionStage<Orders.Outcome<T>> coming,
            RoutingContext context,
            Consumer<T> then,
            Consumer<Problem> otherwise) {
        Waiting.on(coming, context, outcome -> {
            switch (outcome) {
                case Orders.Outcome.Done<T>(T value) -> then.accept(value);
                case Orders.Outcome.Refused<T>(Problem problem) -> {
                    switch (problem.status()) {
                        case 401 -> Replies.redirect(context, "/sign-in");
                        case 403 -> Replies.refuse(context, 403, "Not done", sentence(problem));
                        default -> otherwise.accept(problem);
                    }
                }
            }
        });
    }

    /** A problem as people read it. */
    static String sentence(Problem problem) {
        String text = SafeText.line(problem.detail());
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + (text.endsWith(".") ? "" : ".");
    }
}
