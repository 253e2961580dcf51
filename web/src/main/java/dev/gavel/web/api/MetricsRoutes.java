package dev.gavel.web.api;

import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.MetricsExporter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves the process metrics at {@code /metrics} to everyone, only to identities with a token, or to no one, as
 * configured. Thread-safe.
 */
public final class MetricsRoutes {
    private final MetricsExporter metricsExporter;
    private final WebConfig.MetricsAccess access;
    private final TokenAuthenticator tokenAuthenticator;
    private final AllowedOrigins origins;

    public MetricsRoutes(
            MetricsExporter metricsExporter,
            WebConfig.MetricsAccess access,
            TokenAuthenticator tokenAuthenticator,
            AllowedOrigins origins) {
        this.origins = origins;
        this.metricsExporter = metricsExporter;
        this.access = access;
        this.tokenAuthenticator = tokenAuthenticator;
    }

    public void mount(Router router) {
        switch (access) {
            case OPEN ->
                router.get("/metrics").handler(this::refuseForeignOrigin).handler(this::sendMetrics);
            case TOKEN ->
                router.get("/metrics").handler(this::refuseForeignOrigin).handler(this::sendToAuthenticated);
            case OFF -> {
                // The path is not served.
            }
        }
    }

    /** Refuses requests from web pages of other sites, which could otherwise read what their visitor may read. */
    private void refuseForeignOrigin(RoutingContext context) {
        if (origins.allows(context.request())) {
            context.next();
        } else {
            TopicAccess.FOREIGN_ORIGIN.send(context.response());
        }
    }

    private void sendToAuthenticated(RoutingContext context) {
        switch (tokenAuthenticator.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) ->
                new HttpProblem(401, "unauthenticated", reason).send(context.response());
            case Authenticated _ -> sendMetrics(context);
        }
    }

    private void sendMetrics(RoutingContext context) {
        JsonResponses.whenComplete(metricsExporter.render(), context, text -> {
            if (!context.response().ended() && !context.response().closed()) {
                context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, MetricsExporter.CONTENT_TYPE)
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                        .end(text);
            }
        });
    }
}
