package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.BooleanSupplier;

/** Tells whoever supervises the process whether it lives, and whether to send it anybody. */
final class Health {
    private final Gateway gateway;

    private final BooleanSupplier ledger;

    Health(Gateway gateway, BooleanSupplier ledger) {
        this.gateway = gateway;
        this.ledger = ledger;
    }

    void mount(Router router) {
        router.route("/health/live")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(context -> answer(context, 200, "live"));
        router.route("/health/ready")
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(context -> {
                    if (gateway.leaving()) {
                        answer(context, 503, "draining");
                    } else if (!ledger.getAsBoolean()) {
                        answer(context, 503, "ledger_away");
                    } else if (!gateway.bus().available()) {
                        answer(context, 503, "bus_away");
                    } else {
                        answer(context, 200, "ready");
                    }
                });
    }

    private static void answer(RoutingContext context, int status, String word) {
        context.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(new JsonObject().put("status", word).encode());
    }
}
