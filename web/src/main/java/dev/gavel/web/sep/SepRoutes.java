package dev.gavel.web.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepApiRoute;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.JsonResponses;
import dev.gavel.web.http.ResponseBodies;
import dev.gavel.web.http.RouteGroup;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.identity.Identity;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Serves the operations of the SEP service and its Atom feed over HTTP to every authenticated identity. Thread-safe.
 */
public final class SepRoutes implements RouteGroup {
    /** The size limit of a request body, longer than any document written by people. */
    static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

    private final TopicAccess topicAccess;
    private final ProposalTerms terms;
    private final HttpProblem noLedger;
    private final Optional<SepService> sepService;
    private final Function<String, CompletionStage<String>> feed;

    /**
     * Creates the routes of the SEP service.
     *
     * @param sepService empty if there is no ledger
     * @param feed returns the recent notifications as an Atom document, for an identity
     * @param terms how error messages name the proposals
     */
    public SepRoutes(
            TopicAccess topicAccess,
            Optional<SepService> sepService,
            Function<String, CompletionStage<String>> feed,
            ProposalTerms terms) {
        this.topicAccess = topicAccess;
        this.sepService = sepService;
        this.feed = feed;
        this.terms = terms;
        this.noLedger = new HttpProblem(
                404,
                "no_ledger",
                terms.plural() + " are not available: the server has no ledger; set 'ledger: on' for a topic");
    }

    @Override
    public void mount(Router router) {
        router.get("/seps/feed.atom").handler(this::sendFeed);
        for (SepApiRoute endpoint : SepApiRoute.ENDPOINTS) {
            router.route(HttpMethod.valueOf(endpoint.method()), endpoint.path())
                    .handler(context -> handle(context, endpoint));
        }
    }

    private void handle(RoutingContext context, SepApiRoute endpoint) {
        if (endpoint.usesQuery() || sepService.isEmpty()) {
            topicAccess.authenticate(context, caller -> {
                if (sepService.isEmpty()) {
                    noLedger.send(context.response());
                } else {
                    parseAndExecute(
                            context,
                            endpoint,
                            caller.identity(),
                            SepHttpArgumentsParser.ofQuery(
                                    endpoint.operation(), context.queryParams().entries()));
                }
            });
        } else {
            topicAccess.authenticateWithBody(
                    context,
                    MAX_BODY_BYTES,
                    (caller, body) ->
                            parseAndExecute(context, endpoint, caller.identity(), SepHttpArgumentsParser.ofBody(body)));
        }
    }

    private void parseAndExecute(
            RoutingContext context, SepApiRoute endpoint, Identity identity, ValueParseResult<Json> parsedArguments) {
        switch (parsedArguments) {
            case ValueParseResult.Invalid<Json>(String problem) ->
                SepResponses.badArguments(problem).send(context.response());
            case ValueParseResult.Valid<Json>(Json arguments) -> {
                if (!endpoint.hasNumber()) {
                    parseAndExecute(context, endpoint, identity, arguments);
                    return;
                }
                String number = Objects.requireNonNull(context.pathParam(SepApiRoute.NUMBER));
                if (arguments.at(SepApiRoute.NUMBER).isPresent()) {
                    SepResponses.badArguments("the path already contains the number; remove 'number'")
                            .send(context.response());
                    return;
                }
                SepHttpArgumentsParser.parseNumber(number)
                        .ifPresentOrElse(
                                value -> parseAndExecute(
                                        context, endpoint, identity, arguments.with(SepApiRoute.NUMBER, value)),
                                () -> new HttpProblem(
                                                404, "unknown_sep", "there is no " + terms.name() + " '" + number + "'")
                                        .send(context.response()));
            }
        }
    }

    private void parseAndExecute(RoutingContext context, SepApiRoute endpoint, Identity identity, Json arguments) {
        SepCaller caller = new SepCaller(identity.id(), identity.roles());
        JsonResponses.whenComplete(
                sepService.orElseThrow().execute(caller, endpoint.operation(), arguments),
                context,
                sepResult -> SepResponses.send(context, endpoint.operation(), sepResult));
    }

    private void sendFeed(RoutingContext context) {
        topicAccess.authenticate(context, caller -> {
            if (sepService.isEmpty()) {
                noLedger.send(context.response());
                return;
            }
            JsonResponses.whenComplete(feed.apply(caller.identity().id()), context, text -> {
                if (!context.response().ended() && !context.response().closed()) {
                    context.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/atom+xml; charset=utf-8")
                            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
                    ResponseBodies.end(context.request(), Buffer.buffer(text));
                }
            });
        });
    }
}
