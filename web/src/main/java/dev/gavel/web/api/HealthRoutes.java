package dev.gavel.web.api;

import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Serves the liveness and readiness checks at /health/live and /health/ready. */
public final class HealthRoutes {
    private final Gateway gateway;

    private final BooleanSupplier ledgerWritable;
    private final LongSupplier undeliveredMessages;

    /**
     * Creates the routes.
     *
     * @param undeliveredMessages returns how many messages of bridged servers could not be forwarded
     */
    public HealthRoutes(Gateway gateway, BooleanSupplier ledgerWritable, LongSupplier undeliveredMessages) {
        this.gateway = gateway;
        this.ledgerWritable = ledgerWritable;
        this.undeliveredMessages = undeliveredMessages;
    }

    public void mount(Router router) {
        router.route("/health/live")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(context -> sendStatus(context, 200, "live"));
        router.route("/health/ready")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(context -> {
                    if (gateway.isShuttingDown()) {
                        sendStatus(context, 503, "draining");
                    } else if (!ledgerWritable.getAsBoolean()) {
                        sendStatus(context, 503, "ledger_away");
                    } else if (!gateway.bus().isAvailable()) {
                        sendStatus(context, 503, "bus_away");
                    } else {
                        sendReady(context, undeliveredMessages.getAsLong());
                    }
                });
    }

    private static void sendReady(RoutingContext context, long undelivered) {
        JsonObject body = new JsonObject().put("status", "ready");
        send(context, 200, undelivered == 0 ? body : body.put("undeliveredMessages", undelivered));
    }

    private static void sendStatus(RoutingContext context, int status, String statusText) {
        send(context, status, new JsonObject().put("status", statusText));
    }

    private static void send(RoutingContext context, int status, JsonObject body) {
        context.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(body.encode());
    }
}
