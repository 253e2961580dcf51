package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Tells whoever supervises the process whether it lives, and whether to send it anybody. */
final class Health {
    private final Gateway gateway;

    Health(Gateway gateway) {
        this.gateway = gateway;
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
                    if (gateway.draining()) {
                        answer(context, 503, "draining");
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
