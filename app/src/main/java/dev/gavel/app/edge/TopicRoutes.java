package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Polled;
import dev.gavel.gateway.Posted;
import dev.gavel.gateway.Records;
import dev.gavel.mcpx.SystemMessage.Failure;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Topics without a socket: one envelope posted, everything streamed as events, or asked for by polling. Thread-safe. */
final class TopicRoutes {
    private static final String MESSAGES = "/topics/:topic/messages";

    /** A poll waits no longer, so that nobody on the way takes its connection for a dead one. */
    private static final int LONGEST_WAIT_SECONDS = 50;

    private final Gateway gateway;
    private final Visits visits;
    private final int longestEnvelope;

    private final Places places;

    /** Posted envelopes that have not been answered yet. */
    private final AtomicInteger posting = new AtomicInteger();

    TopicRoutes(Gateway gateway, Visits visits, int longestEnvelope, int mostConnections) {
        this.gateway = gateway;
        this.visits = visits;
        this.longestEnvelope = longestEnvelope;
        this.places = new Places(mostConnections);
    }

    void mount(Router router) {
        // Who may not post is told before a body is read.
        router.post(MESSAGES)
                .handler(context -> visits.grant(
                        context,
                        granted -> Bodies.read(context, longestEnvelope, body -> post(context, granted, body))));
        router.get(MESSAGES)
                .handler(context -> visits.grantReader(context, granted -> {
                    if (accepts(context, "text/event-stream")) {
                        stream(context, granted);
                    } else {
                        poll(context, granted);
                    }
                }));
    }

    /** How many streams, polls and posts are open. */
    int open() {
        return places.taken() + posting.get();
    }

    private void post(RoutingContext context, Visit.Granted granted, byte[] envelope) {
        // Reading the body took its time: what holds now counts.
        Optional<Problem> meanwhile = Visits.meanwhile(granted);
        if (meanwhile.isPresent()) {
            meanwhile.get().send(context.response());
            return;
        }
        posting.incrementAndGet();
        context.addEndHandler(ended -> posting.decrementAndGet());
        Answers.when(
                gateway.post(granted.topic(), granted.member(), envelope), context, posted -> answer(context, posted));
    }

    private static void answer(RoutingContext context, Posted posted) {
        switch (posted) {
            case Posted.Refused(List<Failure> failures) ->
                Errors.problem(failures).send(context.response());
            case Posted.Taken(String id, List<Failure> complaints) ->
                Answers.send(
                        context,
                        202,
                        new JsonObject()
                                .put("id", id)
                                .put("errors", Errors.list(complaints))
                                .toBuffer());
        }
    }

    private static boolean accepts(RoutingContext context, String type) {
        String accepted = context.request().getHeader(HttpHeaders.ACCEPT);
        return accepted != null && accepted.contains(type);
    }

    private void stream(RoutingContext context, Visit.Granted granted) {
        Optional<Places.Place> place = places.take(granted.member().id());
        if (place.isEmpty()) {
            visits.refuse(Visits.FULL, context.response());
        } else {
            EventStream.start(
                    ContextInternal.current(),
                    context.request(),
                    outlet -> gateway.connect(
                            granted.topic(),
                            granted.membership(),
                            granted.warrant(),
                            granted.wish(),
                            granted.spelling(),
                            outlet),
                    place.get()::leave);
        }
    }

    private void poll(RoutingContext context, Visit.Granted granted) {
        Optional<Records> records = granted.topic().records();
        String wait = context.request().getParam("wait", "0");
        if (records.isEmpty()) {
            ProposalRoutes.NO_LEDGER.send(context.response());
        } else if (!wait.matches("\\d{1,9}")) {
            new Problem(400, "bad_wait", "wait is a number of seconds").send(context.response());
        } else {
            Optional<Places.Place> place = places.take(granted.member().id());
            if (place.isEmpty()) {
                visits.refuse(Visits.FULL, context.response());
                return;
            }
            Duration patience = Duration.ofSeconds(Math.min(LONGEST_WAIT_SECONDS, Integer.parseInt(wait)));
            CompletableFuture<Polled> poll = records.get()
                    .poll(granted.membership(), granted.warrant(), granted.wish(), granted.spelling(), patience);
            context.response().closeHandler(closed -> poll.cancel(false));
            Answers.when(
                    poll.whenComplete((polled, failure) -> place.get().leave()),
                    context,
                    polled -> answer(context, granted, polled));
        }
    }

    private static void answer(RoutingContext context, Visit.Granted granted, Polled polled) {
        switch (polled) {
            case Polled.Brought brought -> Answers.send(context, 200, json(brought));
            case Polled.Revoked() -> Visits.REVOKED.send(context.response());
            case Polled.Removed() ->
                Visits.notAMember(granted.member().id(), granted.topic().name()).send(context.response());
        }
    }

    private static Buffer json(Polled.Brought polled) {
        Buffer json = Buffer.buffer("{\"messages\":[");
        boolean first = true;
        for (byte[] envelope : polled.envelopes()) {
            json.appendString(first ? "" : ",").appendBytes(envelope);
            first = false;
        }
        return json.appendString("],\"seq\":" + polled.seq() + "}");
    }
}
