package dev.gavel.app.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/**
 * An HTTP error as {@code application/problem+json} (RFC 9457).
 *
 * @param code a stable name that programs can rely on
 * @param detail what happened and what to do, for a person
 */
record Problem(int status, String code, String detail) {
    static final Problem NOT_FOUND = new Problem(404, "not_found", "nothing is served at this path");

    void send(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (status == 401) {
            response.putHeader("WWW-Authenticate", "Bearer realm=\"gavel\"");
        }
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
                .end(new JsonObject()
                        .put("status", status)
                        .put("code", code)
                        .put("detail", detail)
                        .encode());
    }
}
