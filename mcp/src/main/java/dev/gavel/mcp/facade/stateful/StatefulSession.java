package dev.gavel.mcp.facade.stateful;

import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.facade.call.ProgressNotificationFactory;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.ClientResourceSubscriptions;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's MCP session: its requests, calls, streams, subscriptions and log level. Confined to the topic's loop.
 */
final class StatefulSession {
    /** How long a client may take to reconnect after its connection broke. */
    private static final long RECONNECT_MILLIS = 10_000;

    /** The methods that a participant runs. */
    private static final Set<String> CALL_METHODS = Set.of("tools/call", "prompts/get", "resources/read");

    private final String id;
    private final TopicCalls topicCalls;
    private final McpRequestDispatcher mcpRequestDispatcher;
    private final AuthenticatedClient authenticatedClient;
    private final FacadeCaller facadeCaller;
    private final Runnable onRevoked;
    private final SessionStreams sessionStreams;
    private final Map<String, SessionRequest> openRequests = new HashMap<>();
    private final Map<String, CallWaiter> callWaiters = new HashMap<>();

    /** The request id of each stream, by stream name. */
    private final Map<String, String> requestByStream = new HashMap<>();

    private final ClientResourceSubscriptions subscriptions;
    private final Topic.RemoteTrafficSubscription topicSubscription;
    private final ClientInputRequests clientInputRequests;

    /** The capabilities with which the client can supply input. Empty if the session was started at another process. */
    private Json inputCapabilities = Json.object();

    private McpLogLevel minLogLevel = McpLogLevel.DEBUG;
    private Instant lastActive;
    private boolean closed;

    /**
     * Creates a session that has just started.
     *
     * @param onRevoked ends the session, on the topic's loop, when the client's credential is revoked
     */
    StatefulSession(
            String id,
            McpRequestDispatcher mcpRequestDispatcher,
            AuthenticatedClient authenticatedClient,
            Runnable onRevoked) {
        this.id = id;
        this.topicCalls = mcpRequestDispatcher.calls();
        this.mcpRequestDispatcher = mcpRequestDispatcher;
        this.authenticatedClient = authenticatedClient;
        this.facadeCaller = new FacadeCaller(
                authenticatedClient.membership(),
                authenticatedClient.accessGrant(),
                authenticatedClient.settings(),
                topicCalls.proposalQueries().isPresent());
        this.subscriptions = new ClientResourceSubscriptions(facadeCaller, mcpRequestDispatcher);
        this.onRevoked = onRevoked;
        this.clientInputRequests = new ClientInputRequests(topicCalls);
        this.sessionStreams = new SessionStreams(topicCalls, this::onStreamLost);
        this.lastActive = topicCalls.now();
        this.topicSubscription = topicCalls.topic().subscribeToRemote();
        authenticatedClient.accessGrant().onRevoke(onRevoked);
    }

    String id() {
        return id;
    }

    /** What the client has declared and set in its session. A session with the client's next token begins with it. */
    record ClientSettings(Json inputCapabilities, McpLogLevel minLogLevel) {}

    ClientSettings clientSettings() {
        return new ClientSettings(inputCapabilities, minLogLevel);
    }

    void apply(ClientSettings settings) {
        inputCapabilities = settings.inputCapabilities();
        minLogLevel = settings.minLogLevel();
    }

    boolean belongsTo(String identity) {
        return facadeCaller.id().equals(identity);
    }

    Instant lastActive() {
        return lastActive;
    }

    /** Whether the session has no open requests and no reader of the general stream. */
    boolean isIdle() {
        return openRequests.isEmpty() && !sessionStreams.hasListener();
    }

    /** Responds to the request that started the session. */
    void initialize(
            RpcMessage.Request request,
            Json params,
            ServerDescriptionWriter serverDescriptionWriter,
            McpResponseWriter mcpResponseWriter) {
        inputCapabilities = InputRequestTranslator.inputCapabilities(params.at("capabilities"));
        ResumableStream stream = sessionStreams.openRequestStream(mcpResponseWriter);
        stream.complete(InitializeResponseFactory.create(request.id(), params, serverDescriptionWriter));
        sessionStreams.retire(stream, () -> {});
    }

    void receive(RpcMessage.Notification notification) {
        lastActive = topicCalls.now();
        if (notification.method().equals("notifications/cancelled")) {
            String params = notification.params().orElse("{}");
            String reason = RawJsonEditor.at(params, "reason")
                    .flatMap(Json::parse)
                    .flatMap(Json::asText)
                    .orElse("");
            RawJsonEditor.at(params, "requestId")
                    .ifPresent(request -> cancel(
                            request,
                            reason.isEmpty()
                                    ? "the client cancelled the call"
                                    : "the client cancelled the call: " + reason));
        }
    }

    /** Handles the client's response to a request for input. */
    void receive(RpcMessage.Response response) {
        lastActive = topicCalls.now();
        clientInputRequests.receive(response);
    }

    private void cancel(String request, String reason) {
        SessionRequest client = openRequests.get(request);
        CallWaiter waiter = callWaiters.get(request);
        if (client == null || client.endWaitingForInput(reason, client.response()::close)) {
            return;
        }
        if (waiter == null) {
            client.response().close();
            removeRequest(client);
            sessionStreams.retire(client.response(), () -> {});
        } else {
            waiter.cancel(reason);
        }
    }

    private void removeRequest(SessionRequest client) {
        if (openRequests.remove(client.id(), client)) {
            callWaiters.remove(client.id());
        }
        requestByStream.remove(client.response().name());
    }

    void receive(RpcMessage.Request request, McpResponseWriter mcpResponseWriter) {
        lastActive = topicCalls.now();
        ResumableStream stream = sessionStreams.openRequestStream(mcpResponseWriter);
        String params = request.params().orElse("{}");
        SessionRequest client = new SessionRequest(
                request.id(),
                stream,
                mcpResponseWriter.supportsStreaming() ? ProgressNotificationFactory.of(params) : null);
        if (openRequests.putIfAbsent(request.id(), client) != null) {
            stream.complete(RpcErrorCode.INVALID_REQUEST.toResponse(
                    request.id(), "A request with this id is still in progress. Use another id."));
            sessionStreams.retire(stream, () -> {});
            return;
        }
        requestByStream.put(stream.name(), request.id());
        try {
            dispatch(request.method(), params, client);
        } catch (RuntimeException e) {
            topicCalls.respondInternalError(client, e);
        }
    }

    /**
     * Continues the response to a proposed call whose stream is not stored here, because it began at another process or
     * the client was away for too long. The client's request gets the result, or is answered with "pending".
     */
    void continueCall(StreamEventId.StreamCall call, McpResponseWriter mcpResponseWriter) {
        lastActive = topicCalls.now();
        ResumableStream stream = sessionStreams.openRequestStream(mcpResponseWriter);
        // A client that resumes a stream expects a stream, even if the result is available at once.
        stream.setCall(Optional.of(call));
        stream.start();
        SessionRequest client = new SessionRequest(call.request(), stream, null);
        openRequests.put(client.id(), client);
        requestByStream.put(stream.name(), client.id());
        try {
            mcpRequestDispatcher.continueCall(facadeCaller, call.proposal(), client);
        } catch (RuntimeException e) {
            topicCalls.respondInternalError(client, e);
        }
    }

    /** Whether the response to a request is still open. */
    boolean isOpen(String request) {
        return openRequests.containsKey(request);
    }

    private void dispatch(String method, String params, SessionRequest client) {
        switch (method) {
            case "ping" ->
                client.respond(new RpcMessage.ResultResponse(client.id(), ClientMessageFactory.EMPTY_RESULT));
            case "resources/subscribe" ->
                McpRequestDispatcher.parseParams(params, method, client)
                        .ifPresent(json -> subscriptions.subscribe(params, client));
            case "resources/unsubscribe" ->
                McpRequestDispatcher.parseParams(params, method, client).ifPresent(json -> {
                    subscriptions.unsubscribe(json.at("uri").text());
                    client.respond(new RpcMessage.ResultResponse(client.id(), ClientMessageFactory.EMPTY_RESULT));
                });
            case "logging/setLevel" ->
                McpRequestDispatcher.parseParams(params, method, client)
                        .ifPresent(json -> McpLogLevel.of(json.at("level").text())
                                .ifPresentOrElse(
                                        level -> {
                                            minLogLevel = level;
                                            client.respond(new RpcMessage.ResultResponse(
                                                    client.id(), ClientMessageFactory.EMPTY_RESULT));
                                        },
                                        () -> McpRequestDispatcher.respondError(
                                                client,
                                                RpcErrorCode.INVALID_PARAMS,
                                                "'level' must be one of " + McpLogLevel.ALL_NAMES + ".")));
            default -> {
                String sentParams = withLogLevel(method, params);
                if (CALL_METHODS.contains(method) && canSupplyInput(client) && params.startsWith("{")) {
                    callWithInput(method, sentParams, client);
                } else if (!mcpRequestDispatcher.dispatch(facadeCaller, method, sentParams, null, client)) {
                    McpRequestDispatcher.respondError(
                            client,
                            RpcErrorCode.METHOD_NOT_FOUND,
                            "Unknown method: " + InputExcerptFormatter.quote(method) + ".");
                }
            }
        }
    }

    /** Whether the client supports requests for input, and reads a stream on which it can receive them. */
    private boolean canSupplyInput(SessionRequest client) {
        McpResponseWriter reader = client.response().reader();
        return !inputCapabilities.members().isEmpty() && reader != null && reader.supportsStreaming();
    }

    /** Makes a call during which the server can ask the client for input. */
    private void callWithInput(String method, String params, SessionRequest client) {
        String declaringParams =
                RawJsonEditor.with(params, inputCapabilities.raw(), McpMetaFields.META, McpMetaFields.CAPABILITIES);
        InputRequestTranslator request = new InputRequestTranslator(
                client,
                clientInputRequests,
                topicCalls,
                inputCapabilities,
                declaringParams,
                (repeated, newParams) ->
                        mcpRequestDispatcher.dispatch(facadeCaller, method, newParams, null, repeated));
        client.inputSupplyingRequest = request;
        mcpRequestDispatcher.dispatch(facadeCaller, method, declaringParams, null, request);
    }

    /**
     * Adds the session's log level to a call. Servers of newer versions expect the level in each request; in a session,
     * the client has set it once.
     */
    private String withLogLevel(String method, String params) {
        return CALL_METHODS.contains(method) && params.startsWith("{")
                ? RawJsonEditor.with(
                        params, Json.ofText(minLogLevel.wireName()).raw(), McpMetaFields.META, McpMetaFields.LOG_LEVEL)
                : params;
    }

    /** An open request. */
    private final class SessionRequest implements InFlightClientRequest {
        private final String id;
        private final ResumableStream response;
        private final @Nullable ProgressNotificationFactory progress;

        /** Asks the client for input, or null if the client cannot be asked. */
        private @Nullable InputRequestTranslator inputSupplyingRequest;

        SessionRequest(String id, ResumableStream stream, @Nullable ProgressNotificationFactory progress) {
            this.id = id;
            this.response = stream;
            this.progress = progress;
        }

        /** Ends the call if it waits for the client's input. Returns false if it does not. */
        boolean endWaitingForInput(String reason, Runnable respond) {
            return inputSupplyingRequest != null && inputSupplyingRequest.endWaiting(reason, respond);
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public ResumableStream response() {
            return response;
        }

        @Override
        public @Nullable ProgressNotificationFactory progress() {
            return progress;
        }

        @Override
        public void onCallStarted(CallWaiter waiter) {
            callWaiters.put(id, waiter);
            if (waiter.call().isProposed()) {
                response.setCall(StreamEventId.StreamCall.of(id, waiter.call().id()));
            }
        }

        @Override
        public void respond(RpcMessage answer) {
            removeRequest(this);
            response.complete(answer);
            sessionStreams.retire(response, () -> {});
        }

        @Override
        public void onCallDone(CallWaiter waiter) {
            StatefulSession.this.onCallDone(id, waiter, response);
        }

        @Override
        public void onResponseUnread(CallWaiter waiter) {
            scheduleAbandon(waiter, this);
        }
    }

    /** Handles a call that was answered, detached or aborted. */
    private void onCallDone(String request, CallWaiter waiter, ResumableStream stream) {
        SessionRequest client = openRequests.get(request);
        if (client != null && client.response().equals(stream)) {
            removeRequest(client);
        }
        stream.onDeliveryChange(delivered -> {
            if (delivered) {
                waiter.onDelivered();
            } else {
                waiter.onUndelivered();
            }
        });
        sessionStreams.retire(stream, () -> {});
    }

    private void onStreamLost(String stream) {
        String request = requestByStream.getOrDefault(stream, "");
        CallWaiter waiter = callWaiters.get(request);
        SessionRequest client = openRequests.get(request);
        if (waiter != null && client != null) {
            scheduleAbandon(waiter, client);
        }
    }

    /** Abandons a call whose client has disconnected, unless the client reconnects in time. */
    @SuppressWarnings("FutureReturnValueIgnored") // a client that has reconnected is detected when the task runs
    private void scheduleAbandon(CallWaiter waiter, SessionRequest client) {
        ResumableStream stream = client.response();
        int disconnects = stream.disconnectCount();
        topicCalls
                .topic()
                .loop()
                .schedule(
                        () -> {
                            if (disconnects == stream.disconnectCount()
                                    && !stream.isClosed()
                                    && !stream.hasReader()
                                    && !client.endWaitingForInput(
                                            CallResponseFactory.REASON_CONNECTION_LOST,
                                            () -> stream.complete(RpcErrorCode.UNAVAILABLE.toResponse(
                                                    client.id(), CallResponseFactory.CANCELLED_WHILE_AWAY)))) {
                                waiter.onAbandoned();
                            }
                        },
                        RECONNECT_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Opens the general stream for the client, or resumes an interrupted stream. */
    void listen(@Nullable String lastEvent, McpResponseWriter mcpResponseWriter) {
        lastActive = topicCalls.now();
        sessionStreams.listen(lastEvent, mcpResponseWriter);
        callWaiters.values().forEach(CallWaiter::onReaderAttached);
    }

    SessionStreams streams() {
        return sessionStreams;
    }

    boolean isSubscribedTo(String uri) {
        return subscriptions.contains(uri);
    }

    /**
     * Forwards a server's log message, on the stream of a call that the server runs if there is one, since the message
     * probably concerns that call.
     */
    void sendLog(String from, McpLogLevel level, String line) {
        if (level.compareTo(minLogLevel) < 0) {
            return;
        }
        callWaiters.entrySet().stream()
                .filter(each -> each.getValue().call().isRunBy(from))
                .map(each -> openRequests.get(each.getKey()))
                .filter(Objects::nonNull)
                .map(SessionRequest::response)
                .findFirst()
                .ifPresentOrElse(stream -> stream.send(line), () -> sessionStreams.sendUnsolicited(line));
    }

    /** Ends the session and cancels its open requests. */
    void close(String reason) {
        close(request -> cancel(request, reason));
    }

    /** Ends the session, because the client's token or membership has ended, and answers its open requests. */
    void revoke(String reason) {
        close(request -> release(request, reason));
    }

    private void release(String request, String reason) {
        SessionRequest client = openRequests.get(request);
        CallWaiter waiter = callWaiters.get(request);
        if (client == null) {
            return;
        }
        if (client.endWaitingForInput(
                reason,
                () -> client.response()
                        .complete(RpcErrorCode.FORBIDDEN.toResponse(
                                client.id(),
                                "The call was cancelled while it waited for your input: " + reason + ".")))) {
            return;
        }
        RpcMessage accessEnded = CallResponseFactory.accessEnded(client.id(), reason);
        if (waiter == null) {
            client.response().complete(accessEnded);
            removeRequest(client);
            sessionStreams.retire(client.response(), () -> {});
        } else {
            waiter.release(accessEnded);
        }
    }

    private void close(Consumer<String> endRequest) {
        if (!closed) {
            closed = true;
            authenticatedClient.accessGrant().removeCallback(onRevoked);
            List.copyOf(openRequests.keySet()).forEach(endRequest);
            sessionStreams.closeGeneral();
            subscriptions.close();
            topicSubscription.close();
        }
    }
}
