package dev.gavel.web.api;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.topic.LongPollResult;
import dev.gavel.gateway.topic.ProposalQueries;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.StreamAndPollQuota;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.TopicAccessResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves a topic's messages without a WebSocket: post an envelope, stream server-sent events, or poll. Thread-safe. */
public final class MessageRoutes {
    private static final String MESSAGES = "/topics/:topic/messages";

    /** Limits how long a poll waits, so that no proxy closes its connection as idle. */
    private static final int MAX_WAIT_SECONDS = 50;

    private final Gateway gateway;
    private final TopicAccess topicAccess;
    private final int maxEnvelopeBytes;

    private final StreamAndPollQuota streamAndPollQuota;

    /** Posted envelopes without a response yet. */
    private final AtomicInteger pendingPosts = new AtomicInteger();

    public MessageRoutes(Gateway gateway, TopicAccess topicAccess, int maxEnvelopeBytes, int maxConnections) {
        this.gateway = gateway;
        this.topicAccess = topicAccess;
        this.maxEnvelopeBytes = maxEnvelopeBytes;
        this.streamAndPollQuota = new StreamAndPollQuota(maxConnections);
    }

    public void mount(Router router) {
        // Authorize before reading the body.
        router.post(MESSAGES)
                .handler(context -> topicAccess.authorize(
                        context,
                        granted -> RequestBodyReader.read(
                                context, maxEnvelopeBytes, body -> post(context, granted, body))));
        router.get(MESSAGES)
                .handler(context -> topicAccess.authorizeRateLimited(context, granted -> {
                    if (accepts(context, "text/event-stream")) {
                        stream(context, granted);
                    } else {
                        poll(context, granted);
                    }
                }));
    }

    /** How many streams, polls and posts are open. */
    public int openConnections() {
        return streamAndPollQuota.inUse() + pendingPosts.get();
    }

    private void post(RoutingContext context, TopicAccessResult.Granted granted, byte[] envelope) {
        // Access may have changed while the body was read, so check it again.
        Optional<HttpProblem> problem = TopicAccess.recheck(granted);
        if (problem.isPresent()) {
            problem.get().send(context.response());
            return;
        }
        pendingPosts.incrementAndGet();
        context.addEndHandler(ended -> pendingPosts.decrementAndGet());
        JsonResponses.whenComplete(
                gateway.submit(granted.topic(), granted.member(), granted.accessGrant(), envelope),
                context,
                submitResult -> sendResponse(context, submitResult));
    }

    private static void sendResponse(RoutingContext context, SubmitResult submitResult) {
        switch (submitResult) {
            case SubmitResult.Refused(List<Failure> failures) ->
                EnvelopeErrorMapper.toProblem(failures).send(context.response());
            case SubmitResult.Accepted(String id, List<Failure> warnings, List<RejectionEffect> rejectionEffects) -> {
                JsonObject body = new JsonObject().put("id", id).put("errors", EnvelopeErrorMapper.toJson(warnings));
                if (!rejectionEffects.isEmpty()) {
                    body.put("rejections", toJson(rejectionEffects));
                }
                JsonResponses.send(context, 202, body.toBuffer());
            }
        }
    }

    private static JsonArray toJson(List<RejectionEffect> rejectionEffects) {
        JsonArray array = new JsonArray();
        rejectionEffects.forEach(effect -> array.add(new JsonObject()
                .put("proposal", effect.proposalId())
                .put("closed", effect.closed())
                .put("result", effect.result().name().toLowerCase(Locale.ROOT))
                .put("waitingFor", new JsonArray(effect.awaitedMembers()))
                .put("detail", effect.detail())));
        return array;
    }

    private static boolean accepts(RoutingContext context, String type) {
        String acceptHeader = context.request().getHeader(HttpHeaders.ACCEPT);
        return acceptHeader != null && acceptHeader.contains(type);
    }

    private void stream(RoutingContext context, TopicAccessResult.Granted granted) {
        Optional<StreamAndPollQuota.Permit> permit =
                streamAndPollQuota.tryAcquire(granted.member().id());
        if (permit.isEmpty()) {
            topicAccess.refuse(TopicAccess.UNAVAILABLE, context.response());
        } else {
            EventStreamConnection.start(
                    ContextInternal.current(),
                    context.request(),
                    transportChannel -> gateway.connect(
                            granted.topic(),
                            granted.membership(),
                            granted.accessGrant(),
                            granted.options(),
                            granted.syntax(),
                            transportChannel),
                    permit.get()::release);
        }
    }

    private void poll(RoutingContext context, TopicAccessResult.Granted granted) {
        Optional<ProposalQueries> proposalQueries = granted.topic().proposalQueries();
        String wait = context.request().getParam("wait", "0");
        if (proposalQueries.isEmpty()) {
            ProposalRoutes.NO_LEDGER.send(context.response());
        } else if (!wait.matches("\\d{1,9}")) {
            new HttpProblem(400, "bad_wait", "wait must be a number of seconds").send(context.response());
        } else {
            Optional<StreamAndPollQuota.Permit> permit =
                    streamAndPollQuota.tryAcquire(granted.member().id());
            if (permit.isEmpty()) {
                topicAccess.refuse(TopicAccess.UNAVAILABLE, context.response());
                return;
            }
            Duration timeout = Duration.ofSeconds(Math.min(MAX_WAIT_SECONDS, Integer.parseInt(wait)));
            CompletableFuture<LongPollResult> poll = proposalQueries
                    .get()
                    .poll(granted.membership(), granted.accessGrant(), granted.options(), granted.syntax(), timeout);
            context.response().closeHandler(closed -> poll.cancel(false));
            JsonResponses.whenComplete(
                    poll.whenComplete((pollResult, failure) -> permit.get().release()),
                    context,
                    pollResult -> sendResponse(context, granted, pollResult));
        }
    }

    private static void sendResponse(
            RoutingContext context, TopicAccessResult.Granted granted, LongPollResult pollResult) {
        switch (pollResult) {
            case LongPollResult.Envelopes envelopes -> JsonResponses.send(context, 200, json(envelopes));
            case LongPollResult.Revoked() -> TopicAccess.REVOKED.send(context.response());
            case LongPollResult.Removed() ->
                TopicAccess.notAMember(granted.member().id(), granted.topic().name())
                        .send(context.response());
        }
    }

    private static Buffer json(LongPollResult.Envelopes page) {
        Buffer json = Buffer.buffer("{\"messages\":[");
        boolean first = true;
        for (byte[] envelope : page.envelopes()) {
            json.appendString(first ? "" : ",").appendBytes(envelope);
            first = false;
        }
        return json.appendString("],\"seq\":" + page.seq() + "}");
    }
}
