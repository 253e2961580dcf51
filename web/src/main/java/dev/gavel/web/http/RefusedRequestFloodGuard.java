package dev.gavel.web.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Closes a connection whose client keeps sending requests that are refused with 401 or 429, as the gateway does with a
 * WebSocket that floods it. Stateless.
 */
public final class RefusedRequestFloodGuard {
    private RefusedRequestFloodGuard() {}

    /** Watches the response to a request that a router handles. */
    public static void watch(RoutingContext context) {
        context.addHeadersEndHandler(written -> mark(context.request()));
        context.addEndHandler(ended -> closeIfMarked(context.request()));
    }

    /** Watches the response to a request that no router handles. */
    public static void watch(HttpServerRequest request) {
        request.response().headersEndHandler(written -> mark(request)).endHandler(ended -> closeIfMarked(request));
    }

    private static void mark(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        boolean refused = response.getStatusCode() == 401 || response.getStatusCode() == 429;
        if (refused && ConnectionLimiter.countRefused(request)) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
    }

    private static void closeIfMarked(HttpServerRequest request) {
        if (request.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true)) {
            request.connection().close();
        }
    }
}
