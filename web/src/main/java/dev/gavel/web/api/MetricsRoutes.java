package dev.gavel.web.api;

import dev.gavel.web.http.AllowedHosts;
import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.ResponseBodies;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.MetricsExporter;
import io.vertx.core.buffer.Buffer;
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
    private final AllowedHosts hosts;
    private final AllowedOrigins origins;

    public MetricsRoutes(
            MetricsExporter metricsExporter,
            WebConfig.MetricsAccess access,
            TokenAuthenticator tokenAuthenticator,
            AllowedHosts hosts,
            AllowedOrigins origins) {
        this.hosts = hosts;
        this.origins = origins;
        this.metricsExporter = metricsExporter;
        this.access = access;
        this.tokenAuthenticator = tokenAuthenticator;
    }

    public void mount(Router router) {
        switch (access) {
            case OPEN -> router.get("/metrics").handler(this::refuseForeignPage).handler(this::sendMetrics);
            case TOKEN ->
                router.get("/metrics").handler(this::refuseForeignPage).handler(this::sendToAuthenticated);
            case OFF -> {
                // The path is not served.
            }
        }
    }

    /**
     * Refuses requests from web pages of other sites, which could otherwise read what their visitor may read. A page
     * whose own host name resolves to this server would have the same origin. So if no token is needed, the host must be
     * one of the server's own. A scraper with a token may use any name: browsers do not add tokens.
     */
    private void refuseForeignPage(RoutingContext context) {
        if (access == WebConfig.MetricsAccess.OPEN && !hosts.allows(context.request())) {
            AllowedHosts.FOREIGN_HOST.send(context.response());
        } else if (origins.allows(context.request())) {
            context.next();
        } else {
            TopicAccess.FOREIGN_ORIGIN.send(context.response());
        }
    }

    private void sendToAuthenticated(RoutingContext context) {
        switch (tokenAuthenticator.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) -> {
                metricsExporter.refusedRequests().count("unauthenticated");
                new HttpProblem(401, "unauthenticated", reason).send(context.response());
            }
            case Authenticated caller -> {
                ConnectionLimiter.markAuthenticated(
                        context.request(), caller.identity().id(), caller.revocableAccessGrant());
                sendMetrics(context);
            }
        }
    }

    private void sendMetrics(RoutingContext context) {
        JsonResponses.whenComplete(metricsExporter.render(), context, text -> {
            if (!context.response().ended() && !context.response().closed()) {
                context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, MetricsExporter.CONTENT_TYPE)
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
                ResponseBodies.end(context.request(), Buffer.buffer(text));
            }
        });
    }
}
