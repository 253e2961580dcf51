package dev.gavel.app.edge.sep;

import dev.gavel.app.edge.Answers;
import dev.gavel.app.edge.Problem;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What the desk replies, as an answer to a request. Stateless. */
final class Outcomes {
    private static final String MARKDOWN = "text/markdown; charset=utf-8";

    /** What every problem says; a reply's own words for them are no others. */
    private static final Set<String> TAKEN = Set.of("status", "code", "detail", "retryAfterMs");

    private Outcomes() {}

    static void send(RoutingContext context, Verb verb, Reply reply) {
        switch (reply) {
            case Reply.Done(Json body) -> done(context, verb, body);
            case Reply.Refused refused -> problem(refused).send(context.response());
            case Reply.Wrong(String message) -> wrong(message).send(context.response());
            case Reply.Unknown(String message) -> new Problem(404, "unknown_sep", message).send(context.response());
            case Reply.Unavailable(String reason, var retryAfter) ->
                new Problem(503, "unavailable", reason, retryAfter.toMillis()).send(context.response());
        }
    }

    static Problem wrong(String message) {
        return new Problem(400, "bad_arguments", message);
    }

    private static Problem problem(Reply.Refused refused) {
        String code = refused.code().replace('-', '_');
        Map<String, Object> more =
                new LinkedHashMap<>(new JsonObject(refused.more().raw()).getMap());
        more.keySet().removeAll(TAKEN);
        more.values().removeIf(value -> value == null);
        return new Problem(code.equals("not_allowed") ? 403 : 409, code, refused.message(), 0, more);
    }

    private static void done(RoutingContext context, Verb verb, Json body) {
        if (verb == Verb.EXPORT && !wantsJson(context)) {
            if (!context.response().ended() && !context.response().closed()) {
                context.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, MARKDOWN)
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                        // Somebody else wrote it: no browser is to take it for a page.
                        .putHeader("X-Content-Type-Options", "nosniff")
                        .end(body.at("document").text());
            }
            return;
        }
        if (verb == Verb.SUBMIT && !context.response().ended()) {
            context.response()
                    .putHeader(
                            HttpHeaders.LOCATION, "/seps/" + body.at("number").raw());
        }
        Answers.send(context, verb == Verb.SUBMIT ? 201 : 200, Buffer.buffer(body.raw()));
    }

    private static boolean wantsJson(RoutingContext context) {
        String accept = context.request().getHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains("application/json");
    }
}
