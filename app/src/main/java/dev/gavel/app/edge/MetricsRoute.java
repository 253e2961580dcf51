package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.metrics.Metrics;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Lets whoever may read the metrics. Thread-safe. */
final class MetricsRoute {
    private final Metrics metrics;
    private final WebConfig.MetricsAccess access;
    private final Identities identities;
    private final Origins origins;

    MetricsRoute(Metrics metrics, WebConfig.MetricsAccess access, Identities identities, Origins origins) {
        this.origins = origins;
        this.metrics = metrics;
        this.access = access;
        this.identities = identities;
    }

    void mount(Router router) {
        switch (access) {
            case OPEN -> router.get("/metrics").handler(this::refuseForeign).handler(this::answer);
            case TOKEN -> router.get("/metrics").handler(this::refuseForeign).handler(this::answerKnown);
            case OFF -> {
                // There is no such path.
            }
        }
    }

    /** No web page of another site may read here what its visitor may. */
    private void refuseForeign(RoutingContext context) {
        if (origins.allows(context.request())) {
            context.next();
        } else {
            Visits.FOREIGN.send(context.response());
        }
    }

    private void answerKnown(RoutingContext context) {
        switch (identities.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) -> new Problem(401, "unauthenticated", reason).send(context.response());
            case Authenticated _ -> answer(context);
        }
    }

    private void answer(RoutingContext context) {
        Answers.when(metrics.text(), context, text -> {
            if (!context.response().ended() && !context.response().closed()) {
                context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, Metrics.CONTENT_TYPE)
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                        .end(text);
            }
        });
    }
}
