package dev.gavel.app.edge.console.live;

import dev.gavel.app.edge.Places;
import dev.gavel.app.edge.console.session.Guard;
import dev.gavel.app.edge.console.session.Replies;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Where open pages listen. Thread-safe. */
public final class Live {
    private final Guard guard;
    private final Gateway gateway;
    private final Newsroom newsroom;
    private final Places places;
    private final AtomicInteger seated = new AtomicInteger();

    public Live(Guard guard, Gateway gateway, Newsroom newsroom, Places places) {
        this.guard = guard;
        this.gateway = gateway;
        this.newsroom = newsroom;
        this.places = places;
    }

    public int connections() {
        return seated.get();
    }

    /** How far everything is known now. Asked for before a page is made, so that nothing falls between. */
    public String mark() {
        return newsroom.mark();
    }

    /** Tells an open page of a visitor's what happens, from the mark on that it names. */
    public void listen(RoutingContext context, Function<Visitor, Teller<?>> teller) {
        if (!guard.ours(context)) {
            return;
        }
        HttpServerResponse response = Replies.guarded(context)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        Optional<Visitor> visitor = guard.visitor(context.request());
        if (visitor.isEmpty()) {
            // Not an error, which a browser would not tell the page of.
            response.end("event: signed-out\ndata: -\n\n");
            return;
        }
        Optional<Places.Place> place =
                gateway.draining() || !gateway.mayJoin(visitor.get().id())
                        ? Optional.empty()
                        : places.take(visitor.get().id());
        if (place.isEmpty()) {
            response.setStatusCode(503).end();
            return;
        }
        start(context, response, visitor.get(), teller.apply(visitor.get()), place.get());
    }

    private <T> void start(
            RoutingContext context,
            HttpServerResponse response,
            Visitor visitor,
            Teller<T> teller,
            Places.Place place) {
        String mark = context.request().getParam("mark", "");
        new LiveStream<>(gateway, newsroom, visitor, ContextInternal.current(), response, teller)
                .start(mark, seated, place::leave);
    }
}
