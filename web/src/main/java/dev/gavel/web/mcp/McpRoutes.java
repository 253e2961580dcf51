package dev.gavel.web.mcp;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.McpFacade;
import dev.gavel.mcp.facade.ProtocolDetectionResult;
import dev.gavel.mcp.facade.stateless.StatelessRequest;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcp.facade.transport.SessionMessageResult;
import dev.gavel.mcp.rpc.MalformedRpcMessage;
import dev.gavel.mcp.rpc.RoutingHeaderNames;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageParser;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.StreamAndPollQuota;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.TopicAccessResult;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Serves MCP's Streamable HTTP transport, with one MCP endpoint for each topic. Thread-safe. */
public final class McpRoutes {
    private static final String PATH = "/mcp/:topic";
    private static final String SESSION = "Mcp-Session-Id";
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    /** One identity can use a quarter of all responses, or a few if the limit is low. */
    private static final int SHARE_OF_RESPONSES = 4;

    private static final int MIN_RESPONSES = 10;

    private static final HttpProblem TOO_MANY_RESPONSES = new HttpProblem(
            429, "rate_limited", "you have too many open requests and streams; wait for answers or close some", 1000);

    private final Gateway gateway;
    private final McpFacade facade;
    private final TopicAccess topicAccess;
    private final McpRequestAuthorizer authorizer;
    private final BiFunction<String, String, PendingCallSettings> settings;
    private final RpcMessageParser reader;
    private final int maxResponses;
    private final StreamAndPollQuota openResponses;

    /**
     * Creates the routes of all topics.
     *
     * @param authorizer authenticates clients by their tokens
     * @param settings how the calls in a topic, of an identity, are treated while they wait for a decision
     * @param maxMessageBytes the size limit of a message, in bytes
     * @param maxResponses how many responses may be open at the same time
     */
    public McpRoutes(
            Gateway gateway,
            McpFacade facade,
            TopicAccess topicAccess,
            McpRequestAuthorizer authorizer,
            BiFunction<String, String, PendingCallSettings> settings,
            int maxMessageBytes,
            int maxResponses) {
        this.gateway = gateway;
        this.facade = facade;
        this.topicAccess = topicAccess;
        this.authorizer = authorizer;
        this.settings = settings;
        this.reader = new RpcMessageParser(maxMessageBytes);
        this.maxResponses = maxResponses;
        this.openResponses = new StreamAndPollQuota(
                maxResponses, Math.max(maxResponses / SHARE_OF_RESPONSES, Math.min(maxResponses, MIN_RESPONSES)));
    }

    public void mount(Router router) {
        authorizer.mount(router);
        router.post(PATH)
                .handler(context -> authorize(
                        context,
                        granted -> RequestBodyReader.read(
                                context, reader.maxLength(), body -> post(context, granted, body))));
        router.get(PATH)
                .handler(context -> authorize(
                        context, granted -> requireSessionVersion(context, () -> openStream(context, granted))));
        router.delete(PATH)
                .handler(context -> authorize(
                        context, granted -> requireSessionVersion(context, () -> endSession(context, granted))));
    }

    /** How many responses are open. */
    public int open() {
        return openResponses.inUse();
    }

    private void authorize(RoutingContext context, Consumer<TopicAccessResult.Granted> then) {
        authorizer.authorize(context, granted -> {
            if (gateway.tryAcquireRequest(granted.member().id())) {
                then.accept(granted);
            } else {
                topicAccess.refuse(TopicAccess.RATE_LIMITED, context.response());
            }
        });
    }

    private AuthenticatedClient toClient(TopicAccessResult.Granted granted) {
        return new AuthenticatedClient(
                granted.membership(),
                granted.accessGrant(),
                settings.apply(granted.topic().name(), granted.member().id()));
    }

    private void post(RoutingContext context, TopicAccessResult.Granted granted, byte[] body) {
        HttpServerRequest request = context.request();
        Optional<HttpProblem> problem = TopicAccess.recheck(granted);
        if (problem.isPresent()) {
            problem.get().send(context.response());
        } else if (!toLowerCase(request.getHeader(HttpHeaders.CONTENT_TYPE)).startsWith(JSON)) {
            new HttpProblem(415, "unsupported_type", "send JSON with the header 'Content-Type: application/json'")
                    .send(context.response());
        } else if (!accepts(request, JSON) && !accepts(request, EVENTS)) {
            new HttpProblem(406, "not_acceptable", "send the header 'Accept: application/json, text/event-stream'")
                    .send(context.response());
        } else {
            switch (reader.read(body)) {
                case MalformedRpcMessage malformedRpcMessage ->
                    sendError(context, 400, malformedRpcMessage.toResponse());
                case RpcMessage message -> {
                    switch (ProtocolDetectionResult.detect(message, new VertxRequestHeaders(request))) {
                        case ProtocolDetectionResult.Stateless(StatelessRequest statelessRequest) ->
                            handleStateless(context, granted, statelessRequest);
                        case ProtocolDetectionResult.Stateful() -> handleInSession(context, granted, message);
                        case ProtocolDetectionResult.Ignored() ->
                            sendResult(context, new SessionMessageResult.Accepted());
                        case ProtocolDetectionResult.Refused(RpcMessage.ErrorResponse errorResponse) ->
                            sendError(context, 400, errorResponse);
                    }
                }
            }
        }
    }

    /** Handles a request of a protocol version without sessions. */
    private void handleStateless(
            RoutingContext context, TopicAccessResult.Granted granted, StatelessRequest statelessRequest) {
        open(
                context,
                granted.member().id(),
                McpHttpResponseWriter.ResumeMode.NONE,
                writer -> facade.handleStateless(granted.topic(), toClient(granted), statelessRequest, writer),
                (writer, complete) -> facade.onStatelessResponseEnd(granted.topic(), writer, complete));
    }

    private void handleInSession(RoutingContext context, TopicAccessResult.Granted granted, RpcMessage message) {
        String session = context.request().getHeader(SESSION);
        AtomicReference<@Nullable String> sessionId = new AtomicReference<>(session);
        Context requestContext = ContextInternal.current();
        open(
                context,
                granted.member().id(),
                resumeMode(context.request()),
                writer -> facade.handleSessionMessage(
                        granted.topic(),
                        toClient(granted),
                        session,
                        message,
                        sessionMessageResult -> {
                            if (sessionMessageResult instanceof SessionMessageResult.SessionStarted(String id)) {
                                sessionId.set(id);
                            }
                            requestContext.runOnContext(then -> sendResult(context, sessionMessageResult));
                        },
                        writer),
                (writer, complete) -> onDisconnect(granted, sessionId.get(), writer, complete));
    }

    private static McpHttpResponseWriter.ResumeMode resumeMode(HttpServerRequest request) {
        return McpVersion.V2025_11_25.date().equals(request.getHeader(RoutingHeaderNames.VERSION))
                ? McpHttpResponseWriter.ResumeMode.BY_EMPTY_EVENT_ID
                : McpHttpResponseWriter.ResumeMode.BY_EVENT_ID;
    }

    private void onDisconnect(
            TopicAccessResult.Granted granted,
            @Nullable String sessionId,
            McpHttpResponseWriter writer,
            boolean complete) {
        if (!complete && sessionId != null) {
            facade.onSessionDisconnect(granted.topic(), toClient(granted), sessionId, writer);
        }
    }

    /**
     * Opens a response that may be long-lived.
     *
     * @param requestHandler passes the request to the facade
     * @param onEnd called when the response has ended, with whether the client received all of it
     */
    private void open(
            RoutingContext context,
            String identity,
            McpHttpResponseWriter.ResumeMode resumeMode,
            Consumer<McpHttpResponseWriter> requestHandler,
            BiConsumer<McpHttpResponseWriter, Boolean> onEnd) {
        Optional<StreamAndPollQuota.Permit> permit = openResponses.tryAcquire(identity);
        if (permit.isEmpty()) {
            topicAccess.refuse(
                    openResponses.inUse() < maxResponses ? TOO_MANY_RESPONSES : TopicAccess.UNAVAILABLE,
                    context.response());
            return;
        }
        McpHttpResponseWriter writer = new McpHttpResponseWriter(
                ContextInternal.current(), context.request(), accepts(context.request(), EVENTS), resumeMode);
        context.response().exceptionHandler(failure -> {
            // The client disconnected; the close handler cleans up.
        });
        Context requestContext = ContextInternal.current();
        // The end handler runs when the response is ended; whether it was also delivered is known a moment later.
        context.addEndHandler(end -> requestContext.runOnContext(then -> {
            permit.get().release();
            if (end.failed() || !context.response().ended()) {
                writer.onClose();
                onEnd.accept(writer, false);
            } else {
                writer.onWritten(complete -> onEnd.accept(writer, complete));
            }
        }));
        requestHandler.accept(writer);
    }

    private void openStream(RoutingContext context, TopicAccessResult.Granted granted) {
        HttpServerRequest request = context.request();
        if (!accepts(request, EVENTS)) {
            new HttpProblem(406, "not_acceptable", "send the header 'Accept: text/event-stream'")
                    .send(context.response());
            return;
        }
        String sessionId = request.getHeader(SESSION);
        Context requestContext = ContextInternal.current();
        open(
                context,
                granted.member().id(),
                resumeMode(request),
                writer -> facade.openSessionStream(
                        granted.topic(),
                        toClient(granted),
                        sessionId,
                        request.getHeader("Last-Event-ID"),
                        sessionMessageResult ->
                                requestContext.runOnContext(then -> sendResult(context, sessionMessageResult)),
                        writer),
                (writer, complete) -> onDisconnect(granted, sessionId, writer, complete));
    }

    private void endSession(RoutingContext context, TopicAccessResult.Granted granted) {
        Context requestContext = ContextInternal.current();
        facade.endSession(
                granted.topic(),
                toClient(granted),
                context.request().getHeader(SESSION),
                sessionMessageResult -> requestContext.runOnContext(then -> {
                    if (sessionMessageResult instanceof SessionMessageResult.Accepted) {
                        context.response().setStatusCode(204).end();
                    } else {
                        sendResult(context, sessionMessageResult);
                    }
                }));
    }

    /** Sends the immediate part of the response; messages of the facade follow it. */
    private void sendResult(RoutingContext context, SessionMessageResult sessionMessageResult) {
        switch (sessionMessageResult) {
            case SessionMessageResult.SessionStarted(String sessionId) ->
                context.response().putHeader(SESSION, sessionId);
            case SessionMessageResult.ResponseFollows() -> {}
            case SessionMessageResult.Accepted() ->
                context.response().setStatusCode(202).end();
            case SessionMessageResult.SessionNotFound() ->
                sendError(
                        context,
                        404,
                        RpcErrorCode.INVALID_REQUEST.toResponse(
                                "null", "Unknown session. Send initialize to start a new one."));
            case SessionMessageResult.BadRequest(String reason) ->
                sendError(context, 400, RpcErrorCode.INVALID_REQUEST.toResponse("null", reason));
        }
    }

    /** Runs the action if the request's protocol version has sessions; otherwise sends an error. */
    private static void requireSessionVersion(RoutingContext context, Runnable then) {
        Optional<ProtocolDetectionResult> protocolDetectionResult =
                ProtocolDetectionResult.detect(new VertxRequestHeaders(context.request()));
        if (protocolDetectionResult.isEmpty()) {
            context.response()
                    .setStatusCode(405)
                    .putHeader(HttpHeaders.ALLOW, "POST")
                    .end();
        } else if (protocolDetectionResult.get()
                instanceof ProtocolDetectionResult.Refused(RpcMessage.ErrorResponse errorResponse)) {
            sendError(context, 400, errorResponse);
        } else {
            then.run();
        }
    }

    private static void sendError(RoutingContext context, int status, RpcMessage failure) {
        if (!context.response().ended() && !context.response().closed()) {
            context.response()
                    .setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                    .end(failure.line());
        }
    }

    private static boolean accepts(HttpServerRequest request, String type) {
        String accepted = toLowerCase(request.getHeader(HttpHeaders.ACCEPT));
        return accepted.isEmpty()
                || accepted.contains(type)
                || accepted.contains("*/*")
                || accepted.contains(type.substring(0, type.indexOf('/')) + "/*");
    }

    private static String toLowerCase(@Nullable String header) {
        return header == null ? "" : header.toLowerCase(Locale.ROOT);
    }
}
