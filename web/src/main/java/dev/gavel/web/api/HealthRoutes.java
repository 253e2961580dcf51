package dev.gavel.web.api;

import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BooleanSupplier;

/** Serves the liveness and readiness checks at /health/live and /health/ready. */
public final class HealthRoutes {
    private final Gateway gateway;

    private final BooleanSupplier ledgerWritable;

    public HealthRoutes(Gateway gateway, BooleanSupplier ledgerWritable) {
        this.gateway = gateway;
        this.ledgerWritable = ledgerWritable;
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
                        sendStatus(context, 200, "ready");
                    }
                });
    }

    private static void sendStatus(RoutingContext context, int status, String statusText) {
        context.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(new JsonObject().put("status", statusText).encode());
    }
}
