package dev.gavel.web.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.ResponseBodies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Sends the SEP service's result as an HTTP response. Stateless. */
final class SepResponses {
    private static final String MARKDOWN = "text/markdown; charset=utf-8";

    /** Fields that every problem has; a result cannot override them. */
    private static final Set<String> RESERVED_KEYS = Set.of("status", "code", "detail", "retryAfterMs");

    private SepResponses() {}

    static void send(RoutingContext context, SepOperation sepOperation, SepResult sepResult) {
        switch (sepResult) {
            case SepResult.Success(Json body) -> sendResult(context, sepOperation, body);
            case SepResult.Refused refused -> problem(refused).send(context.response());
            case SepResult.InvalidRequest(String message) ->
                badArguments(message).send(context.response());
            case SepResult.NotFound(String message) ->
                new HttpProblem(404, "unknown_sep", message).send(context.response());
            case SepResult.Unavailable(String reason, var retryAfter) ->
                new HttpProblem(503, "unavailable", reason, retryAfter.toMillis()).send(context.response());
        }
    }

    static HttpProblem badArguments(String message) {
        return new HttpProblem(400, "bad_arguments", message);
    }

    private static HttpProblem problem(SepResult.Refused refused) {
        String code = refused.code().replace('-', '_');
        Map<String, Object> extensions =
                new LinkedHashMap<>(new JsonObject(refused.details().raw()).getMap());
        extensions.keySet().removeAll(RESERVED_KEYS);
        extensions.values().removeIf(value -> value == null);
        boolean forbidden = code.equals("not_allowed") || code.equals("access_ended");
        return new HttpProblem(forbidden ? 403 : 409, code, refused.message(), 0, extensions);
    }

    private static void sendResult(RoutingContext context, SepOperation sepOperation, Json body) {
        if (sepOperation == SepOperation.EXPORT && !wantsJson(context)) {
            if (!context.response().ended() && !context.response().closed()) {
                context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, MARKDOWN)
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                        // The document is untrusted: a browser must not render it as a page.
                        .putHeader("X-Content-Type-Options", "nosniff");
                ResponseBodies.end(
                        context.request(), Buffer.buffer(body.at("document").text()));
            }
            return;
        }
        if (sepOperation == SepOperation.SUBMIT && !context.response().ended()) {
            context.response()
                    .putHeader(
                            HttpHeaders.LOCATION, "/seps/" + body.at("number").raw());
        }
        JsonResponses.send(context, sepOperation == SepOperation.SUBMIT ? 201 : 200, Buffer.buffer(body.raw()));
    }

    private static boolean wantsJson(RoutingContext context) {
        String accept = context.request().getHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains("application/json");
    }
}
