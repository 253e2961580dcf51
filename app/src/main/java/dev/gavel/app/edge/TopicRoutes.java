package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Verdict;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Topics without a socket: one envelope posted, or everything streamed as events. Thread-safe. */
final class TopicRoutes {
    private static final String MESSAGES = "/topics/:topic/messages";

    private final Gateway gateway;
    private final Visits visits;
    private final int longestEnvelope;
    private final int mostStreams;
    private final AtomicInteger streams = new AtomicInteger();

    TopicRoutes(Gateway gateway, Visits visits, int longestEnvelope, int mostStreams) {
        this.gateway = gateway;
        this.visits = visits;
        this.longestEnvelope = longestEnvelope;
        this.mostStreams = mostStreams;
    }

    void mount(Router router) {
        // Who may not post is told before a body is read.
        router.post(MESSAGES).handler(context -> {
            switch (visits.examine(context.request(), "topic", context::pathParam)) {
                case Visit.Denied(Problem problem) -> problem.send(context.response());
                case Visit.Granted granted -> {
                    context.put("granted", granted);
                    context.next();
                }
            }
        });
        router.post(MESSAGES).handler(BodyHandler.create(false).setBodyLimit(longestEnvelope));
        router.post(MESSAGES).handler(this::post);
        router.get(MESSAGES).handler(this::stream);
    }

    private void post(RoutingContext context) {
        Visit.Granted granted = Objects.requireNonNull(context.<Visit.Granted>get("granted"));
        Buffer body = context.body().buffer();
        byte[] envelope = body == null ? new byte[0] : body.getBytes();
        ContextInternal here = ContextInternal.current();
        gateway.post(granted.topic(), granted.member(), envelope)
                .whenComplete((posted, failure) -> here.runOnContext(then -> {
                    if (failure == null) {
                        answer(context, posted);
                    } else {
                        context.fail(failure);
                    }
                }));
    }

    private static void answer(RoutingContext context, Posted posted) {
        switch (posted) {
            case Posted.Refused(Verdict.Refuse refused) ->
                Errors.problem(refused).send(context.response());
            case Posted.Taken(var complaints) -> {
                JsonArray errors = new JsonArray();
                complaints.forEach(each -> errors.add(new JsonObject()
                        .put("code", each.refusal().code().wire())
                        .put("detail", each.refusal().message())));
                context.response()
                        .setStatusCode(202)
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .end(new JsonObject().put("errors", errors).encode());
            }
        }
    }

    private void stream(RoutingContext context) {
        String accepted = context.request().getHeader(HttpHeaders.ACCEPT);
        if (accepted == null || !accepted.contains("text/event-stream")) {
            new Problem(406, "not_acceptable", "ask for an event stream: 'Accept: text/event-stream'")
                    .send(context.response());
            return;
        }
        switch (visits.examine(context.request(), "topic", context::pathParam)) {
            case Visit.Denied(Problem problem) -> problem.send(context.response());
            case Visit.Granted(var topic, var member, var mode, var spelling) -> {
                if (!gateway.mayJoin(member)) {
                    Visits.TOO_FAST.send(context.response());
                    return;
                }
                if (streams.incrementAndGet() > mostStreams) {
                    streams.decrementAndGet();
                    Visits.FULL.send(context.response());
                    return;
                }
                EventStream.start(
                        ContextInternal.current(),
                        context.response(),
                        outlet -> gateway.connect(topic, member, mode, spelling, outlet),
                        streams::decrementAndGet);
            }
        }
    }
}
