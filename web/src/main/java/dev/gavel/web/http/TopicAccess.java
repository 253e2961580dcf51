package dev.gavel.web.http;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.web.identity.AuthenticationResult;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.RefusedRequestCounter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an HTTP request may access a topic, by its origin, its token, and whether the sender is a member or
 * admin. The token is checked before the topic is looked up, so that a client without a token cannot find out which
 * topics exist. Thread-safe.
 */
public final class TopicAccess {
    public static final HttpProblem UNAVAILABLE =
            new HttpProblem(503, "unavailable", "the server accepts no more connections now; try again later", 1000);

    public static final HttpProblem RATE_LIMITED =
            new HttpProblem(429, "rate_limited", "you connect or send requests too fast; slow down", 1000);

    public static final HttpProblem BAD_TOPIC = new HttpProblem(
            400, "bad_topic", "a topic name consists of lowercase letters, digits, _ and -, separated by single dots");

    public static final HttpProblem REVOKED =
            new HttpProblem(401, "unauthenticated", "the token is unknown, expired or revoked");

    public static final HttpProblem FOREIGN_ORIGIN =
            new HttpProblem(403, "foreign_origin", "web pages of other sites are not allowed to connect");

    private final Gateway gateway;
    private final TokenAuthenticator tokenAuthenticator;
    private final AllowedOrigins origins;
    private final RefusedRequestCounter refusedRequestCounter;

    /** Creates an instance that allows the origins of this configuration. */
    public static TopicAccess of(
            WebConfig config,
            Gateway gateway,
            TokenAuthenticator tokenAuthenticator,
            RefusedRequestCounter refusedRequestCounter) {
        return new TopicAccess(
                gateway,
                tokenAuthenticator,
                new AllowedOrigins(config.publicUrl(), config.tls().isPresent()),
                refusedRequestCounter);
    }

    public TopicAccess(
            Gateway gateway,
            TokenAuthenticator tokenAuthenticator,
            AllowedOrigins origins,
            RefusedRequestCounter refusedRequestCounter) {
        this.refusedRequestCounter = refusedRequestCounter;
        this.gateway = gateway;
        this.tokenAuthenticator = tokenAuthenticator;
        this.origins = origins;
    }

    /**
     * Checks a request to a topic.
     *
     * @param topicParameter the name of the value that holds the topic's name
     */
    public TopicAccessResult check(
            HttpServerRequest request, String topicParameter, Function<String, @Nullable String> parameterLookup) {
        try {
            return check(request, parameterLookup.apply(topicParameter));
        } catch (IllegalArgumentException e) {
            return deny(400, "bad_request", "the query string is not correctly encoded");
        }
    }

    /** Passes a request to a topic named in its path on to the consumer, or sends the reason why not. */
    public void authorize(RoutingContext context, Consumer<TopicAccessResult.Granted> consumer) {
        switch (check(context.request(), "topic", context::pathParam)) {
            case TopicAccessResult.Denied(HttpProblem problem) -> refuse(problem, context.response());
            case TopicAccessResult.Granted granted -> consumer.accept(granted);
        }
    }

    /**
     * Like {@link #authorize}, for requests that read, connect or disconnect: these count against the identity's rate,
     * as sending does.
     */
    public void authorizeRateLimited(RoutingContext context, Consumer<TopicAccessResult.Granted> consumer) {
        authorize(context, granted -> {
            if (gateway.tryAcquireRequest(granted.member().id())) {
                consumer.accept(granted);
            } else {
                refuse(RATE_LIMITED, context.response());
            }
        });
    }

    /** Refuses a request with this problem and counts it. */
    public void refuse(HttpProblem problem, HttpServerResponse response) {
        refusedRequestCounter.count(problem.code());
        problem.send(response);
    }

    private TopicAccessResult check(HttpServerRequest request, @Nullable String name) {
        if (!origins.allows(request)) {
            return new TopicAccessResult.Denied(FOREIGN_ORIGIN);
        }
        if (!isTopicName(name)) {
            return new TopicAccessResult.Denied(BAD_TOPIC);
        }
        Optional<SubscriptionScope> mode = SubscriptionScope.parse(request.getParam("mode", "all"));
        if (mode.isEmpty()) {
            return deny(400, "bad_mode", "mode must be 'all' or 'directed'");
        }
        String syntax = request.getParam("spelling");
        if (syntax != null && !syntax.equals("v0.1")) {
            return deny(400, "bad_spelling", "spelling must be 'v0.1' or omitted");
        }
        String sinceParameter = request.getParam("since");
        String since = sinceParameter == null ? request.getHeader("Last-Event-ID") : sinceParameter;
        if (since != null && !since.matches("\\d{1,18}")) {
            return deny(400, "bad_since", "since must be a seq: a whole number, 0 or greater");
        }
        return switch (authenticate(request)) {
            case Unauthenticated(String reason) -> deny(401, "unauthenticated", reason);
            case Authenticated caller ->
                resolve(
                        request,
                        Objects.requireNonNull(name),
                        caller,
                        new TopicConnection.SubscribeOptions(
                                mode.get(),
                                since == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(since))),
                        syntax == null ? EnvelopeSyntax.CURRENT : EnvelopeSyntax.LEGACY);
        };
    }

    /** Returns the problem of a request to a topic that does not depend on its sender: its origin or the topic's name. */
    public Optional<HttpProblem> requestProblem(HttpServerRequest request, String topic) {
        return !origins.allows(request)
                ? Optional.of(FOREIGN_ORIGIN)
                : isTopicName(topic) ? Optional.empty() : Optional.of(BAD_TOPIC);
    }

    /** Authenticates the sender of a request by its token. */
    public AuthenticationResult authenticate(HttpServerRequest request) {
        return tokenAuthenticator.authenticate(request.getHeader(HttpHeaders.AUTHORIZATION));
    }

    /** Checks an authenticated request that does not subscribe to the topic's envelopes. */
    public TopicAccessResult checkMember(HttpServerRequest request, String topic, Authenticated caller) {
        return resolve(
                request,
                topic,
                caller,
                new TopicConnection.SubscribeOptions(SubscriptionScope.DIRECTED, OptionalLong.empty()),
                EnvelopeSyntax.CURRENT);
    }

    private TopicAccessResult resolve(
            HttpServerRequest request,
            String name,
            Authenticated caller,
            TopicConnection.SubscribeOptions subscribeOptions,
            EnvelopeSyntax syntaxVersion) {
        String id = caller.identity().id();
        ConnectionLimiter.markAuthenticated(request, id, caller.revocableAccessGrant());
        Optional<Topic> topic = gateway.topic(name);
        if (topic.isEmpty()) {
            return new TopicAccessResult.Denied(noSuchTopic(name));
        }
        Optional<LiveMembership> membership = topic.get().membership(id);
        if (membership.isEmpty()) {
            return new TopicAccessResult.Denied(notAMember(id, name));
        }
        if (gateway.isDraining()) {
            return new TopicAccessResult.Denied(UNAVAILABLE);
        }
        return new TopicAccessResult.Granted(
                topic.get(), membership.get(), caller.revocableAccessGrant(), subscribeOptions, syntaxVersion);
    }

    /**
     * Passes an authenticated request that concerns no topic on to the consumer, or sends the reason why not. The
     * request counts against the identity's rate.
     */
    public void authenticate(RoutingContext context, Consumer<Authenticated> consumer) {
        if (!origins.allows(context.request())) {
            refuse(FOREIGN_ORIGIN, context.response());
            return;
        }
        switch (tokenAuthenticator.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) ->
                refuse(new HttpProblem(401, "unauthenticated", reason), context.response());
            case Authenticated caller -> {
                ConnectionLimiter.markAuthenticated(
                        context.request(), caller.identity().id(), caller.revocableAccessGrant());
                if (gateway.isDraining()) {
                    refuse(UNAVAILABLE, context.response());
                } else if (!gateway.tryAcquireRequest(caller.identity().id())) {
                    refuse(RATE_LIMITED, context.response());
                } else {
                    consumer.accept(caller);
                }
            }
        }
    }

    /**
     * Passes an authenticated request with a body on to the consumer, or sends the reason why not. Authenticates the
     * caller before the body is read, and again afterwards: until the body has arrived, its token may have been revoked
     * and its roles may have changed.
     */
    public void authenticateWithBody(RoutingContext context, int maxBytes, BiConsumer<Authenticated, byte[]> consumer) {
        authenticate(
                context,
                before -> RequestBodyReader.read(context, maxBytes, body -> {
                    switch (tokenAuthenticator.authenticate(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
                        case Unauthenticated(String reason) ->
                            refuse(new HttpProblem(401, "unauthenticated", reason), context.response());
                        case Authenticated caller -> consumer.accept(caller, body);
                    }
                }));
    }

    /** Like {@link #authenticate}, for admins only. */
    public void authorizeAdmin(RoutingContext context, Consumer<Authenticated> consumer) {
        authenticate(context, caller -> {
            if (caller.identity().roles().contains(Identity.ADMIN)) {
                consumer.accept(caller);
            } else {
                refuse(
                        new HttpProblem(
                                403,
                                "not_admin",
                                "'" + caller.identity().id() + "' does not have the required role admin"),
                        context.response());
            }
        });
    }

    /** Returns the problem if the identity has lost its access since it was granted. */
    public static Optional<HttpProblem> recheck(TopicAccessResult.Granted granted) {
        if (!granted.accessGrant().isValid()) {
            return Optional.of(REVOKED);
        }
        return granted.membership().isEnded()
                ? Optional.of(notAMember(granted.member().id(), granted.topic().name()))
                : Optional.empty();
    }

    public static boolean isTopicName(@Nullable String name) {
        return name != null && TopicName.parse(name) instanceof ValueParseResult.Valid<TopicName>;
    }

    public static HttpProblem noSuchTopic(String name) {
        return new HttpProblem(404, "no_such_topic", "there is no topic '" + name + "'");
    }

    public static HttpProblem notAMember(String identity, String topic) {
        return new HttpProblem(403, "not_a_member", "'" + identity + "' is not a member of '" + topic + "'");
    }

    private static TopicAccessResult deny(int status, String code, String detail) {
        return new TopicAccessResult.Denied(new HttpProblem(status, code, detail));
    }
}
