package dev.gavel.app.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/**
 * An HTTP error as {@code application/problem+json} (RFC 9457).
 *
 * @param code a stable name that programs can rely on
 * @param detail what happened and what to do, for a person
 * @param retryAfterMillis when to try again; zero where time alone will not help
 */
record Problem(int status, String code, String detail, long retryAfterMillis) {
    static final Problem NOT_FOUND = new Problem(404, "not_found", "nothing is served at this path");

    Problem(int status, String code, String detail) {
        this(status, code, detail, 0);
    }

    void send(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (status == 401) {
            response.putHeader("WWW-Authenticate", "Bearer realm=\"gavel\"");
        }
        JsonObject body =
                new JsonObject().put("status", status).put("code", code).put("detail", detail);
        if (retryAfterMillis > 0) {
            body.put("retryAfterMs", retryAfterMillis);
            response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(Math.ceilDiv(retryAfterMillis, 1000)));
        }
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
                .end(body.encode());
    }
}
