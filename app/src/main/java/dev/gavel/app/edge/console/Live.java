package dev.gavel.app.edge.console;

import dev.gavel.app.edge.Places;
import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Where open pages listen. Thread-safe. */
final class Live {
    private final Guard guard;
    private final Gateway gateway;
    private final Newsroom newsroom;
    private final Places places;
    private final InstantSource clock;
    private final AtomicInteger seated = new AtomicInteger();

    Live(Guard guard, Gateway gateway, Newsroom newsroom, Places places, InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.newsroom = newsroom;
        this.places = places;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get("/console/live").handler(this::listen);
    }

    int connections() {
        return seated.get();
    }

    private void listen(RoutingContext context) {
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
        String mark = context.request().getParam("mark", "");
        boolean whole = "true".equals(context.request().getParam("whole"));
        new LiveStream(gateway, newsroom, visitor.get(), clock, ContextInternal.current(), response, whole)
                .start(mark, seated, place.get()::leave);
    }
}
