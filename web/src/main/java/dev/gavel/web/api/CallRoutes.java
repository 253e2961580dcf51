package dev.gavel.web.api;

import dev.gavel.gateway.call.CallOutcome;
import dev.gavel.gateway.call.CallPage;
import dev.gavel.gateway.call.CallQueries;
import dev.gavel.gateway.call.CallQuery;
import dev.gavel.gateway.member.Member;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.TopicAccess;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Serves the recorded calls of a topic to the topic's members. Thread-safe. */
public final class CallRoutes {
    private static final int DEFAULT_PAGE_SIZE = 50;
    private static final int MAX_PAGE_SIZE = 500;

    private final TopicAccess topicAccess;

    public CallRoutes(TopicAccess topicAccess) {
        this.topicAccess = topicAccess;
    }

    public void mount(Router router) {
        router.get("/topics/:topic/calls")
                .handler(context -> topicAccess.authorizeRateLimited(
                        context,
                        granted -> granted.topic()
                                .callQueries()
                                .ifPresentOrElse(
                                        callQueries -> list(context, granted.member(), callQueries),
                                        () -> ProposalRoutes.NO_LEDGER.send(context.response()))));
    }

    private static void list(RoutingContext context, Member member, CallQueries callQueries) {
        Optional<String> outcomeText = parameter(context, "outcome");
        Optional<CallOutcome> outcome = outcomeText.flatMap(CallOutcome::parse);
        Optional<String> afterText = parameter(context, "after");
        Optional<Instant> after = afterText.flatMap(CallRoutes::parseTime);
        String limit = context.request().getParam("limit", String.valueOf(DEFAULT_PAGE_SIZE));
        if (outcomeText.isPresent() && outcome.isEmpty()) {
            problem(
                    context,
                    "bad_outcome",
                    "outcome must be one of "
                            + Arrays.stream(CallOutcome.values())
                                    .map(CallOutcome::label)
                                    .collect(Collectors.joining(", ")));
        } else if (afterText.isPresent() && after.isEmpty()) {
            problem(context, "bad_after", "after must be a time such as 2026-01-05T10:00:00Z");
        } else if (!limit.matches("[1-9]\\d{0,2}") || Integer.parseInt(limit) > MAX_PAGE_SIZE) {
            problem(context, "bad_limit", "limit must be a number from 1 to " + MAX_PAGE_SIZE);
        } else {
            CallQuery query = new CallQuery(
                    parameter(context, "by"),
                    parameter(context, "to"),
                    parameter(context, "method"),
                    parameter(context, "name"),
                    parameter(context, "proposal"),
                    outcome,
                    after,
                    Optional.empty());
            JsonResponses.sendWhenComplete(
                    callQueries
                            .list(member, query, parameter(context, "cursor"), Integer.parseInt(limit))
                            .thenApply(found -> found.map(CallPage::toJson)),
                    context,
                    () -> problem(context, "bad_cursor", "the cursor is not valid; start again without a cursor"));
        }
    }

    private static Optional<String> parameter(RoutingContext context, String name) {
        return Optional.ofNullable(context.request().getParam(name));
    }

    private static Optional<Instant> parseTime(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static void problem(RoutingContext context, String code, String detail) {
        new HttpProblem(400, code, detail).send(context.response());
    }
}
