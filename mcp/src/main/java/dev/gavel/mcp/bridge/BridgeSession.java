package dev.gavel.mcp.bridge;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcp.bridge.McpListCache.ListType;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a bridged MCP server in its topic: passes the topic's requests to the server and the server's messages to
 * the topic. Only {@link #start} and {@link #close} block. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // responses are passed on by callbacks
final class BridgeSession implements McpClientSession.SessionListener, TopicConnector.SessionListener {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    /**
     * How long the server may take for a page of a list. {@link #SILENCE_TIMEOUT} is how long a call may stay without
     * response or progress.
     */
    private static final Duration LIST_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration SILENCE_TIMEOUT = Duration.ofHours(1);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    /**
     * With {@code pin: ask} or {@code block}, how old the server's list of tools may be when a direct call runs. A server
     * that does not report changes is asked before each call.
     */
    private static final Duration VERIFIED_LIST_AGE = Duration.ofSeconds(5);

    /** How long a direct call waits for the server's list of tools. */
    private static final Duration VERIFY_TIMEOUT = Duration.ofSeconds(10);

    /** How long the server may take to acknowledge the subscription to its changes. */
    private static final Duration LISTEN_TIMEOUT = Duration.ofSeconds(5);

    /** How long {@link #close} waits until requests that arrived before it are answered with an error. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(1);

    private static final int MAX_PROBLEM_LENGTH = 300;

    private final String name;
    private final String topic;
    private final EnvelopeReader reader;
    private final ProposalProposerCache proposerCache;
    private final InboundEnvelopeQueue inbound;
    private final BridgePublisher publisher;
    private final CompletableFuture<SessionEnd> completion = new CompletableFuture<>();
    private volatile @Nullable ServerComponents components;

    /**
     * The objects that exist while the server runs.
     *
     * @param adapter answers requests that the server's protocol version does not support; empty for a stateful server
     */
    private record ServerComponents(
            McpClientSession session,
            TopicConnector connector,
            McpListCache listCache,
            ParticipantRequestForwarder forwarder,
            ServerListenSubscription serverListenSubscription,
            Optional<LocalRequestResponder> adapter) {}

    /**
     * Creates a session that is not started yet.
     *
     * @param name the id of the topic member that represents the server
     * @param reader checks envelopes against the gateway's limits
     */
    BridgeSession(
            String name,
            String topic,
            EnvelopeReader reader,
            ProposalProposerCache proposerCache,
            UndeliveredMessageRecorder undelivered) {
        this.name = name;
        this.topic = topic;
        this.reader = reader;
        this.proposerCache = proposerCache;
        this.publisher = new BridgePublisher(name, reader, undelivered);
        this.inbound = new InboundEnvelopeQueue("bridge " + name, this::handleBytes);
    }

    /**
     * How the session ended.
     *
     * @param permanent whether a restart would fail in the same way
     */
    record SessionEnd(String reason, boolean permanent) {}

    /** Completes when the session has ended, with the reason. */
    CompletableFuture<SessionEnd> completion() {
        return completion;
    }

    /**
     * Joins the server to the topic: requests its lists, joins, and notifies all participants that the lists have
     * changed. Blocks while it waits for the server.
     */
    void start(McpClientSession mcpSession, TopicConnector topicConnector) throws IOException, InterruptedException {
        McpListCache lists = new McpListCache(mcpSession);
        ServerListenSubscription serverListenSubscription =
                new ServerListenSubscription(name, mcpSession, uris -> onMissedNotifications(mcpSession, lists, uris));
        ServerComponents newComponents = new ServerComponents(
                mcpSession,
                topicConnector,
                lists,
                new ParticipantRequestForwarder(
                        name, topic, mcpSession, publisher, proposerCache, topicConnector::isOwner),
                serverListenSubscription,
                mcpSession.isStateless()
                        ? Optional.of(new LocalRequestResponder(name, serverListenSubscription, publisher))
                        : Optional.empty());
        components = newComponents;
        if (mcpSession.isStateless()) {
            // Subscribe first: if a list changed after its response and before the subscription, it would stay
            // outdated.
            awaitListening(serverListenSubscription.start());
        }
        for (ListType listType : ListType.values()) {
            lists.get(listType);
        }
        publisher.open(topicConnector.join(this));
        inbound.open();
        topicConnector.findUnanswered(newComponents.forwarder()::failAbandoned);
        broadcastListChanges(mcpSession);
        Thread.ofVirtual().name("bridge " + name + " clock").start(() -> expirePeriodically(newComponents));
    }

    private static void awaitListening(CompletableFuture<Boolean> ready) throws InterruptedException {
        try {
            ready.get(LISTEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("The server did not confirm in time that it reports changes.");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails list fetches and requests that the server leaves unanswered, until the session ends. */
    private void expirePeriodically(ServerComponents current) {
        while (!completion.isDone()) {
            try {
                completion.get(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                current.listCache().expireFetches(LIST_TIMEOUT);
                current.forwarder().expireSilent(SILENCE_TIMEOUT);
            } catch (InterruptedException | ExecutionException e) {
                return;
            }
        }
    }

    private void broadcastListChanges(McpClientSession mcpSession) {
        for (ListType listType : new ListType[] {ListType.TOOLS, ListType.PROMPTS, ListType.RESOURCES}) {
            if (listType == ListType.TOOLS || mcpSession.hasCapability(listType.capability())) {
                publisher.broadcast(new RpcMessage.Notification(listType.changedNotification(), Optional.empty()));
            }
        }
    }

    /** The server may have sent notifications while the bridge was not subscribed, so everything counts as changed. */
    private void onMissedNotifications(McpClientSession mcpSession, McpListCache lists, Set<String> uris) {
        for (ListType listType : new ListType[] {ListType.TOOLS, ListType.PROMPTS, ListType.RESOURCES}) {
            lists.onNotification(listType.changedNotification());
        }
        broadcastListChanges(mcpSession);
        uris.forEach(uri -> publisher.broadcast(NotificationEnvelopeFactory.resourceUpdated(uri)));
    }

    /** Returns the number of the server's tools, if it is known. */
    OptionalInt tools() {
        ServerComponents current = components;
        return current == null ? OptionalInt.empty() : current.listCache().count(ListType.TOOLS);
    }

    /** Returns why the server's tools are not known, or not known in their current state, as text for people. */
    Optional<String> toolListProblem() {
        return Optional.ofNullable(components)
                .flatMap(current -> current.listCache().failure(ListType.TOOLS))
                .map(reason -> "The server did not list its tools: "
                        + SafeText.brief(reason, MAX_PROBLEM_LENGTH).replaceFirst("[.\\s]+$", "")
                        + ".");
    }

    /** Returns the MCP version negotiated with the server. */
    Optional<String> version() {
        return Optional.ofNullable(components).map(current -> current.session().version());
    }

    /** Runs an action when the server has listed its tools or has failed to. */
    void whenToolsListed(Runnable action) {
        ServerComponents current = components;
        if (current != null) {
            current.listCache().get(ListType.TOOLS).thenRun(action);
        }
    }

    /**
     * Stops forwarding and ends the server, which fails the requests in flight. Then waits until the requests received
     * meanwhile are answered, and leaves the topic.
     */
    void close() {
        ServerComponents current = components;
        if (current != null) {
            current.forwarder().close();
            current.serverListenSubscription().close();
            current.session().close();
            inbound.awaitEmpty(LEAVE_TIMEOUT);
        }
        publisher.close();
        completion.complete(new SessionEnd("closed", false));
    }

    // --- messages from the topic

    @Override
    public void onEnvelope(byte[] envelope) {
        if (!inbound.offer(envelope)
                && reader.read(envelope) instanceof Envelope request
                && isAddressed(request)
                && request.category() == KindCategory.REQUEST) {
            publisher.respond(
                    TopicRequest.of(request),
                    RpcErrorCode.BUSY.toResponse(
                            "null", "The call has not run: the bridge '" + name + "' is overloaded. Try again later."));
        }
    }

    @Override
    public void onReconnect() {
        ServerComponents current = components;
        if (current != null) {
            broadcastListChanges(current.session());
        }
    }

    @Override
    public void onRemoved(String reason, boolean permanent) {
        completion.complete(new SessionEnd(reason, permanent));
    }

    private boolean isAddressed(Envelope envelope) {
        return envelope.to().contains(name);
    }

    private void handleBytes(byte[] bytes) {
        try {
            if (reader.read(bytes) instanceof Envelope envelope) {
                handleEnvelope(envelope);
            }
        } catch (RuntimeException e) {
            log.error("Bridge {}: an envelope could not be processed.", name, e);
        }
    }

    private void handleEnvelope(Envelope envelope) {
        switch (envelope.category()) {
            case PROPOSAL -> {
                if (isAddressed(envelope)) {
                    proposerCache.record(envelope.id(), String.valueOf(envelope.from()));
                }
            }
            case REQUEST -> {
                // A broadcast is addressed to no participant in particular, so the bridge does not run it.
                if (isAddressed(envelope)) {
                    handleRequest(envelope);
                }
            }
            case SYSTEM -> {
                if (envelope.kind().operation().equals("error")) {
                    onRefused(envelope.correlationIds(), GatewayRefusal.of(PayloadJsonConverter.of(envelope)));
                }
            }
            default -> {}
        }
    }

    private void onRefused(List<String> envelopeIds, GatewayRefusal refusal) {
        if (envelopeIds.stream().noneMatch(id -> publisher.onRefused(id, refusal))) {
            log.warn("Bridge {}: the gateway refused a message: {}: {}", name, refusal.code(), refusal.message());
        }
    }

    private void handleRequest(Envelope envelope) {
        String method = String.valueOf(envelope.kind().method());
        ServerComponents current = components;
        if (method.equals(NotificationEnvelopeFactory.CANCELLED_METHOD)) {
            if (current != null) {
                current.forwarder().cancel(envelope);
            }
        } else if (!method.startsWith(NotificationEnvelopeFactory.PREFIX)) {
            execute(TopicRequest.of(envelope), current);
        }
    }

    private void execute(TopicRequest topicRequest, @Nullable ServerComponents current) {
        if (current == null) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.UNAVAILABLE.toResponse(
                            "null", "The server '" + name + "' is not running. Try again later."));
            return;
        }
        Optional<ListType> listType = ListType.byMethod(topicRequest.method());
        if (listType.isPresent()) {
            respondList(topicRequest, current.listCache(), listType.get());
        } else if (topicRequest.method().equals("initialize")) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.METHOD_NOT_FOUND.toResponse(
                            "null",
                            "The server '" + name + "' is already initialized. Call its other methods directly."));
        } else if (current.adapter().filter(each -> each.handle(topicRequest)).isEmpty()) {
            forward(topicRequest, current);
        }
    }

    private void forward(TopicRequest topicRequest, ServerComponents current) {
        Optional<String> tool = TopicTools.toolOf(topicRequest.kind());
        boolean pinned = topicRequest.proposal().isPresent()
                && !topicRequest.definitionDigests().isEmpty();
        CompletableFuture<Optional<RpcMessage.ErrorResponse>> check;
        if (tool.isPresent() && current.connector().verifiesDefinition(topicRequest)) {
            check = checkDirectCall(tool.get(), current);
        } else if (tool.isPresent() && pinned) {
            check = checkDefinition(topicRequest, tool.get(), current);
        } else {
            check = CompletableFuture.completedFuture(Optional.empty());
        }
        current.forwarder().forward(topicRequest, check, requiresTask(tool, current));
    }

    /** Completes with whether the server can run the tool only as a task. */
    private CompletableFuture<Boolean> requiresTask(Optional<String> tool, ServerComponents current) {
        return tool.isEmpty() || !ServerTasks.areSupportedBy(current.session())
                ? CompletableFuture.completedFuture(false)
                : current.listCache()
                        .get(ListType.TOOLS)
                        .thenApply(response -> response instanceof RpcMessage.ResultResponse result
                                && listEntry(tool.get(), result)
                                        .filter(ServerTasks::isRequiredBy)
                                        .isPresent());
    }

    /** Completes with an error if a direct call must not run with the definition that the server lists now. */
    private CompletableFuture<Optional<RpcMessage.ErrorResponse>> checkDirectCall(
            String tool, ServerComponents current) {
        Duration age = current.session().announcesToolChanges() ? VERIFIED_LIST_AGE : Duration.ZERO;
        RpcMessage.Response timeout =
                RpcErrorCode.UNAVAILABLE.toResponse("null", "no answer within " + VERIFY_TIMEOUT.toSeconds() + " s");
        return current.listCache()
                .getFetchedWithin(ListType.TOOLS, age)
                .copy()
                .completeOnTimeout(timeout, VERIFY_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(response -> switch (response) {
                    case RpcMessage.ErrorResponse errorResponse -> Optional.of(notListed(errorResponse));
                    case RpcMessage.ResultResponse result ->
                        current.connector()
                                .definitionProblem(tool, definition(tool, result))
                                .map(problem -> {
                                    // The gateway may not know yet what the bridge has just found.
                                    publisher.broadcast(new RpcMessage.Notification(
                                            ListType.TOOLS.changedNotification(), Optional.empty()));
                                    return RpcErrorCode.FORBIDDEN.toResponse("null", problem);
                                });
                });
    }

    private RpcMessage.ErrorResponse notListed(RpcMessage.ErrorResponse errorResponse) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                "null",
                "The call did not run, because " + name + " did not list its tools: " + errorResponse.message());
    }

    /** Completes with an error if the definition of the tool is no longer the one that the call was approved for. */
    private CompletableFuture<Optional<RpcMessage.ErrorResponse>> checkDefinition(
            TopicRequest topicRequest, String tool, ServerComponents current) {
        boolean announcesChanges = current.session().announcesToolChanges();
        if (!announcesChanges) {
            // Nothing tells the bridge that the list is outdated.
            current.listCache().onNotification(ListType.TOOLS.changedNotification());
        }
        return current.listCache().get(ListType.TOOLS).thenApply(response -> switch (response) {
            case RpcMessage.ErrorResponse errorResponse -> Optional.of(notListed(errorResponse));
            case RpcMessage.ResultResponse result when isApproved(topicRequest, tool, result) -> Optional.empty();
            case RpcMessage.ResultResponse _ -> {
                if (!announcesChanges) {
                    broadcastListChanges(current.session());
                }
                yield Optional.of(RpcErrorCode.FORBIDDEN.toResponse(
                        "null",
                        "definition_changed: the call did not run, because the definition of " + SafeText.line(tool)
                                + " on " + name + " changed after it was approved. Propose the call again."));
            }
        });
    }

    private boolean isApproved(TopicRequest topicRequest, String tool, RpcMessage.ResultResponse result) {
        return topicRequest
                .definitionDigests()
                .contains(definition(tool, result).map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED));
    }

    /** Returns the definition of a tool in the server's list; empty if the list does not contain the tool. */
    private Optional<ToolDefinition> definition(String tool, RpcMessage.ResultResponse list) {
        return listEntry(tool, list).map(entry -> ToolDefinition.of(name, tool, entry));
    }

    private static Optional<Json> listEntry(String tool, RpcMessage.ResultResponse list) {
        return Json.parse(list.result()).orElseGet(Json::object).at("tools").elements().stream()
                .filter(entry -> entry.at("name").text().equals(tool))
                .findFirst();
    }

    private void respondList(TopicRequest topicRequest, McpListCache lists, ListType listType) {
        if (topicRequest
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, "cursor"))
                .isPresent()) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.INVALID_PARAMS.toResponse(
                            "null",
                            "Invalid cursor: each list of '" + name
                                    + "' has only one page. Send the request without 'cursor'."));
            return;
        }
        lists.get(listType).thenAccept(response -> publisher.respond(topicRequest, response));
    }

    // --- messages from the server

    @Override
    public void onNotification(RpcMessage.Notification notification) {
        ServerComponents current = components;
        if (current == null) {
            return;
        }
        Optional<RpcMessage.Notification> topicNotification = current.adapter().isPresent()
                ? current.serverListenSubscription().onNotification(notification)
                : Optional.of(notification);
        topicNotification.ifPresent(each -> {
            switch (each.method()) {
                case NotificationEnvelopeFactory.PROGRESS_METHOD ->
                    current.forwarder().onProgress(each);
                case NotificationEnvelopeFactory.CANCELLED_METHOD ->
                    current.forwarder().onServerCancelled(each);
                // The ids of the server's tasks are known only to the bridge, and those of its questions only to one
                // caller.
                case NotificationEnvelopeFactory.TASK_STATUS_METHOD,
                        NotificationEnvelopeFactory.ELICITATION_COMPLETE_METHOD -> {}
                default -> {
                    current.listCache().onNotification(each.method());
                    publisher.broadcast(each);
                }
            }
        });
    }

    @Override
    public void onUndeliverable(String problem) {
        publisher.recordUndelivered(problem);
    }

    @Override
    public boolean onRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
        ServerComponents current = components;
        if (current != null) {
            current.forwarder().onServerRequest(request, relatedRequest);
        }
        return current != null;
    }

    @Override
    public void onClose(String reason) {
        completion.complete(new SessionEnd(reason, false));
    }
}
