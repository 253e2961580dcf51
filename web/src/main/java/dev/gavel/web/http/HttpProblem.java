package dev.gavel.web.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * An HTTP error response in the format application/problem+json (RFC 9457).
 *
 * @param code a stable name that programs can rely on
 * @param detail what happened and what to do, for a person
 * @param retryAfterMillis when to try again; zero if waiting does not help
 * @param extensions further fields of the response
 */
public record HttpProblem(
        int status, String code, String detail, long retryAfterMillis, Map<String, Object> extensions) {
    public static final HttpProblem NOT_FOUND = new HttpProblem(404, "not_found", "there is nothing at this path");

    public HttpProblem {
        extensions = Map.copyOf(extensions);
    }

    public HttpProblem(int status, String code, String detail) {
        this(status, code, detail, 0);
    }

    public HttpProblem(int status, String code, String detail, long retryAfterMillis) {
        this(status, code, detail, retryAfterMillis, Map.of());
    }

    /** Sends this problem as the response, unless a response was sent already. */
    public void send(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (status == 401) {
            response.putHeader("WWW-Authenticate", "Bearer realm=\"gavel\"");
        }
        JsonObject body =
                new JsonObject().put("status", status).put("code", code).put("detail", detail);
        extensions.forEach(body::put);
        if (retryAfterMillis > 0) {
            body.put("retryAfterMs", retryAfterMillis);
            response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(Math.ceilDiv(retryAfterMillis, 1000)));
        }
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
                .end(body.encode());
    }
}
