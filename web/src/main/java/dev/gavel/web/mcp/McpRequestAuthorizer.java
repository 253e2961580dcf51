package dev.gavel.web.mcp;

import dev.gavel.web.http.AllowedHosts;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.TopicAccessResult;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import dev.gavel.web.oauth.AccessTokenAuthenticator;
import dev.gavel.web.oauth.AccessTokenResult;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides whether a request may use the MCP endpoint of a topic: by a Gavel token, or by an access token of a configured
 * issuer. If issuers are configured, it also tells clients where they get an access token (RFC 9728). Thread-safe.
 */
public final class McpRequestAuthorizer {
    private static final Pattern BEARER = Pattern.compile("Bearer ", Pattern.CASE_INSENSITIVE);

    /** A JWT with a signature: three parts in base64url. Gavel's own tokens contain no periods. */
    private static final Pattern ACCESS_TOKEN =
            Pattern.compile("Bearer +([\\w-]+\\.[\\w-]+\\.[\\w-]+) *", Pattern.CASE_INSENSITIVE);

    private static final int UNAUTHORIZED = 401;
    private static final long RETRY_MILLIS = 10_000;

    private final TopicAccess topicAccess;
    private final AllowedHosts hosts;
    private final Optional<AccessTokenAuthenticator> accessTokens;
    private final McpResourceUrls urls;

    /**
     * Creates the authorizer of all MCP endpoints.
     *
     * @param accessTokens empty if no issuers are configured
     */
    public McpRequestAuthorizer(
            TopicAccess topicAccess,
            AllowedHosts hosts,
            Optional<AccessTokenAuthenticator> accessTokens,
            McpResourceUrls urls) {
        this.topicAccess = topicAccess;
        this.hosts = hosts;
        this.accessTokens = accessTokens;
        this.urls = urls;
    }

    /** Serves the metadata of the MCP endpoints as OAuth resources. */
    void mount(Router router) {
        router.get(McpResourceUrls.metadataRoute()).handler(this::sendMetadata);
    }

    /**
     * Sends the metadata of a topic's MCP endpoint, whether there is such a topic or not: only authenticated clients
     * can find out which topics exist. Without issuers there is no metadata, because it would make clients start a
     * login that cannot work.
     */
    private void sendMetadata(RoutingContext context) {
        HttpServerRequest request = context.request();
        String topic = topicOf(context);
        if (accessTokens.isEmpty()) {
            HttpProblem.NOT_FOUND.send(context.response());
        } else if (!hosts.allows(request)) {
            topicAccess.refuse(AllowedHosts.FOREIGN_HOST, context.response());
        } else if (!TopicAccess.isTopicName(topic)) {
            topicAccess.refuse(TopicAccess.BAD_TOPIC, context.response());
        } else {
            context.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(new JsonObject()
                            .put("resource", urls.resource(request, topic))
                            .put("resource_name", "Gavel topic " + topic)
                            .put(
                                    "authorization_servers",
                                    new JsonArray(accessTokens.get().issuerUrls()))
                            .put("bearer_methods_supported", new JsonArray().add("header"))
                            .encode());
        }
    }

    /**
     * Passes a member's request on to the consumer, or sends the reason why not. Authenticates before the topic is
     * looked up, so that a client without a token cannot find out which topics exist.
     */
    void authorize(RoutingContext context, Consumer<TopicAccessResult.Granted> then) {
        HttpServerRequest request = context.request();
        String topic = topicOf(context);
        if (!hosts.allows(request)) {
            topicAccess.refuse(AllowedHosts.FOREIGN_HOST, context.response());
            return;
        }
        Optional<HttpProblem> problem = topicAccess.requestProblem(request, topic);
        if (problem.isPresent()) {
            topicAccess.refuse(problem.get(), context.response());
            return;
        }
        accessTokens.ifPresent(_ -> addChallenge(context, urls.metadata(request, topic)));
        switch (topicAccess.authenticate(request)) {
            case Authenticated caller -> continueAs(context, topic, caller, then);
            case Unauthenticated(String reason) ->
                accessTokens
                        .flatMap(authenticator -> accessToken(request)
                                .map(token -> authenticator.authenticate(token, urls.trustedResource(request, topic))))
                        .ifPresentOrElse(
                                result -> onResult(
                                        context,
                                        result.toCompletableFuture(),
                                        accessTokenResult -> apply(context, topic, accessTokenResult, then)),
                                () -> topicAccess.refuse(unauthenticated(reason), context.response()));
        }
    }

    /** Returns the topic in the path; it may be no valid name. */
    private static String topicOf(RoutingContext context) {
        return Objects.requireNonNullElse(context.pathParam("topic"), "");
    }

    private static Optional<String> accessToken(HttpServerRequest request) {
        return Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION))
                .map(ACCESS_TOKEN::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1));
    }

    /**
     * Lets a response with status 401 name the metadata (RFC 9728 section 5.1), whatever causes it. It names an error
     * only if the request has a bearer token (RFC 6750 section 3.1).
     */
    private static void addChallenge(RoutingContext context, String metadataUrl) {
        String authorization = context.request().getHeader(HttpHeaders.AUTHORIZATION);
        boolean hasToken =
                authorization != null && BEARER.matcher(authorization).lookingAt();
        String error = hasToken ? "error=\"invalid_token\", " : "";
        context.addHeadersEndHandler(written -> {
            if (context.response().getStatusCode() == UNAUTHORIZED) {
                context.response()
                        .putHeader("WWW-Authenticate", "Bearer " + error + "resource_metadata=\"" + metadataUrl + "\"");
            }
        });
    }

    /** Passes the result on, on the event loop of the request. The body of the request is not read until then. */
    @SuppressWarnings("FutureReturnValueIgnored") // the consumer sends the response
    private static void onResult(
            RoutingContext context, CompletableFuture<AccessTokenResult> result, Consumer<AccessTokenResult> consumer) {
        if (result.isDone()) {
            consumer.accept(result.join());
            return;
        }
        Context requestContext = ContextInternal.current();
        context.request().pause();
        result.whenComplete((accessTokenResult, failure) -> requestContext.runOnContext(then -> {
            if (context.response().closed()) {
                return;
            }
            try {
                if (failure == null) {
                    consumer.accept(accessTokenResult);
                } else {
                    context.fail(failure);
                }
            } finally {
                context.request().resume();
            }
        }));
    }

    private void apply(
            RoutingContext context,
            String topic,
            AccessTokenResult accessTokenResult,
            Consumer<TopicAccessResult.Granted> then) {
        switch (accessTokenResult) {
            case AccessTokenResult.Accepted(Authenticated caller) -> continueAs(context, topic, caller, then);
            case AccessTokenResult.InvalidToken(String reason) ->
                topicAccess.refuse(unauthenticated(reason), context.response());
            // Not 401: the client would log in again, get an equal token, and be refused again.
            case AccessTokenResult.IdentityRefused(String reason) ->
                topicAccess.refuse(new HttpProblem(403, "identity_refused", reason), context.response());
            case AccessTokenResult.Unavailable(String reason) ->
                topicAccess.refuse(
                        new HttpProblem(503, "issuer_unavailable", reason, RETRY_MILLIS), context.response());
        }
    }

    private void continueAs(
            RoutingContext context, String topic, Authenticated caller, Consumer<TopicAccessResult.Granted> then) {
        switch (topicAccess.checkMember(context.request(), topic, caller)) {
            case TopicAccessResult.Denied(HttpProblem problem) -> topicAccess.refuse(problem, context.response());
            case TopicAccessResult.Granted granted -> then.accept(granted);
        }
    }

    private static HttpProblem unauthenticated(String reason) {
        return new HttpProblem(UNAUTHORIZED, "unauthenticated", reason);
    }
}
