package dev.gavel.mcp.facade.stateless;

import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Handles the stateless requests of a topic's clients, tracks the open ones and cancels those whose client disconnects.
 * Confined to the topic's loop.
 */
public final class StatelessRequestHandler {
    /** The limit per member. */
    private static final int MAX_LISTEN_REQUESTS = 100;

    private static final String REASON_DISCONNECTED = "the client closed its connection, which cancels the call";

    private final McpRequestDispatcher mcpRequestDispatcher;
    private final TopicCalls calls;
    private final ServerDescriptionWriter serverDescriptionWriter;
    private final StatelessResultFormatter statelessResultFormatter;
    private final TaskRequestHandler taskRequestHandler;
    private final Map<McpResponseWriter, InFlightStatelessRequest> inFlightStatelessRequests = new HashMap<>();

    /**
     * Creates a handler without open requests.
     *
     * @param retention how long proposals are stored after they ended; forever if empty
     */
    public StatelessRequestHandler(
            McpRequestDispatcher mcpRequestDispatcher,
            ServerDescriptionWriter serverDescriptionWriter,
            Optional<Duration> retention) {
        this.mcpRequestDispatcher = mcpRequestDispatcher;
        this.calls = mcpRequestDispatcher.calls();
        this.serverDescriptionWriter = serverDescriptionWriter;
        this.statelessResultFormatter = new StatelessResultFormatter(serverDescriptionWriter);
        this.taskRequestHandler = new TaskRequestHandler(calls, retention);
    }

    /** Responds to a request, or starts a call that does. */
    public void handle(
            AuthenticatedClient authenticatedClient,
            StatelessRequest statelessRequest,
            McpResponseWriter mcpResponseWriter) {
        FacadeCaller caller = new FacadeCaller(
                authenticatedClient.membership(),
                authenticatedClient.accessGrant(),
                authenticatedClient.settings(),
                calls.proposalQueries().isPresent());
        Runnable onRevoked = () -> calls.topic()
                .loop()
                .execute(() -> terminate(mcpResponseWriter, "the client's token is no longer valid"));
        StatelessResponseChannel channel =
                new StatelessResponseChannel(statelessRequest.method(), statelessResultFormatter, mcpResponseWriter);
        InFlightStatelessRequest request = new InFlightStatelessRequest(
                statelessRequest,
                caller,
                authenticatedClient,
                channel,
                mcpResponseWriter.supportsStreaming(),
                taskRequestHandler,
                onRevoked);
        inFlightStatelessRequests.put(mcpResponseWriter, request);
        try {
            dispatch(request, mcpResponseWriter.supportsStreaming());
        } catch (RuntimeException e) {
            calls.respondInternalError(request, e);
        }
    }

    private void dispatch(InFlightStatelessRequest request, boolean supportsStreaming) {
        StatelessRequest statelessRequest = request.request();
        switch (statelessRequest.method()) {
            case DiscoverResponseFactory.METHOD ->
                request.respond(DiscoverResponseFactory.create(statelessRequest.id(), serverDescriptionWriter));
            case "subscriptions/listen" -> listen(request, supportsStreaming);
            case "tasks/get", "tasks/update", "tasks/cancel" -> handleTask(request);
            default -> {
                if (!mcpRequestDispatcher.dispatch(
                        request.caller(),
                        statelessRequest.method(),
                        statelessRequest.params(),
                        statelessRequest.paramHeaders(),
                        request)) {
                    McpRequestDispatcher.respondError(
                            request,
                            RpcErrorCode.METHOD_NOT_FOUND,
                            "Unknown method: " + InputExcerptFormatter.quote(statelessRequest.method()) + ".");
                }
            }
        }
    }

    private void handleTask(InFlightStatelessRequest request) {
        StatelessRequest statelessRequest = request.request();
        if (!statelessRequest.supportsTasks()) {
            request.respond(TaskRequestHandler.missingTasksCapability(statelessRequest.id()));
            return;
        }
        switch (statelessRequest.method()) {
            case "tasks/get" -> taskRequestHandler.get(request.caller(), statelessRequest.params(), request);
            case "tasks/update" -> taskRequestHandler.update(request.caller(), statelessRequest.params(), request);
            default -> taskRequestHandler.cancel(request.caller(), statelessRequest.params(), request);
        }
    }

    private void listen(InFlightStatelessRequest request, boolean supportsStreaming) {
        Json notifications = McpRequestDispatcher.parseParams(
                        request.request().params(), "subscriptions/listen", request)
                .map(params -> params.at("notifications"))
                .orElseGet(Json::object);
        ListenFilter filter = ListenFilter.of(notifications);
        if (request.response().isClosed()) {
            return;
        }
        if (notifications.type() != Json.Type.OBJECT) {
            McpRequestDispatcher.respondError(
                    request,
                    RpcErrorCode.INVALID_PARAMS,
                    "'notifications' must be an object that lists what to listen for.");
        } else if (!supportsStreaming) {
            request.response()
                    .refuse(
                            McpResponseWriter.RefusalReason.NOT_ACCEPTABLE,
                            RpcErrorCode.INVALID_REQUEST.toResponse(
                                    request.id(),
                                    "Send the header 'Accept: text/event-stream'. The response to"
                                            + " subscriptions/listen is an event stream."));
        } else if (!filter.tasks().isEmpty() && !request.request().supportsTasks()) {
            request.respond(TaskRequestHandler.missingTasksCapability(request.id()));
        } else if (listenSubscriptions(request.caller().id()).count() >= MAX_LISTEN_REQUESTS) {
            McpRequestDispatcher.respondError(
                    request,
                    RpcErrorCode.BUSY,
                    "You have reached the limit of " + MAX_LISTEN_REQUESTS
                            + " open subscriptions/listen requests. End some of them first.");
        } else {
            ListenSubscription listenSubscription =
                    new ListenSubscription(request, mcpRequestDispatcher, taskRequestHandler);
            request.setListenSubscription(listenSubscription);
            listenSubscription.start(filter);
        }
    }

    private Stream<ListenSubscription> listenSubscriptions(String member) {
        return openRequestsOf(member)
                .map(InFlightStatelessRequest::listenSubscription)
                .filter(Objects::nonNull);
    }

    /**
     * Handles the end of a response.
     *
     * @param complete whether the client has received the whole response
     */
    public void onResponseEnd(McpResponseWriter mcpResponseWriter, boolean complete) {
        InFlightStatelessRequest request = inFlightStatelessRequests.remove(mcpResponseWriter);
        if (request == null) {
            return;
        }
        if (!complete) {
            CallWaiter waiter = request.callWaiter();
            if (request.response().isClosed() && waiter != null) {
                waiter.onUndelivered();
            }
            request.taskId()
                    .filter(TopicCalls::isTaskId)
                    .ifPresent(task -> calls.proposalFollowUpSender()
                            .withdrawOrCancel(request.caller(), task, CallResponseFactory.REASON_ID_NOT_DELIVERED));
        }
        request.abandon(REASON_DISCONNECTED);
    }

    private void terminate(McpResponseWriter mcpResponseWriter, String reason) {
        InFlightStatelessRequest request = inFlightStatelessRequests.get(mcpResponseWriter);
        if (request != null) {
            request.terminate(reason);
        }
    }

    /**
     * Prepares for the end of the process: ends all listen requests, so that their clients listen at another process.
     */
    public void drain() {
        List.copyOf(inFlightStatelessRequests.values()).stream()
                .filter(request -> request.listenSubscription() != null)
                .forEach(request -> request.terminate("the gateway is shutting down"));
    }

    /** Ends all requests of a member that was removed. */
    public void onMemberRemoved(String member) {
        openRequestsOf(member).forEach(request -> request.terminate("the client is no longer a member of the topic"));
    }

    private Stream<InFlightStatelessRequest> openRequestsOf(String member) {
        return List.copyOf(inFlightStatelessRequests.values()).stream()
                .filter(request -> request.caller().id().equals(member));
    }

    private Stream<ListenSubscription> listenSubscriptions() {
        return inFlightStatelessRequests.values().stream()
                .map(InFlightStatelessRequest::listenSubscription)
                .filter(Objects::nonNull);
    }

    /** Notifies every listening client that a list has changed. */
    public void notifyAllClients(String notification) {
        listenSubscriptions().forEach(each -> each.onListChanged(notification));
    }

    /** Notifies the listening clients of one member that their lists may have changed. */
    public void notifyMember(String member) {
        listenSubscriptions(member)
                .forEach(each -> Arrays.stream(McpListType.values())
                        .forEach(listType -> each.onListChanged(listType.changedNotification())));
    }

    /** Passes the change of a proposal to the listen subscriptions. */
    public void onProposalChange(AppliedProposalEvent change) {
        onReachabilityChange(change.after().id());
    }

    /** Tells the listen subscriptions that the status text of a proposal may have changed. */
    public void onReachabilityChange(String proposalId) {
        listenSubscriptions().forEach(each -> each.onProposalChange(proposalId));
    }

    /** Forwards a server's log message on the calls that the server runs, if the caller requested that level. */
    public void forwardLog(String from, List<String> to, McpLogLevel level, String line) {
        List.copyOf(inFlightStatelessRequests.values()).stream()
                .filter(request -> to.isEmpty() || to.contains(request.caller().id()))
                .filter(request -> request.request()
                        .minLogLevel()
                        .filter(minLevel -> level.compareTo(minLevel) >= 0)
                        .isPresent())
                .filter(request -> {
                    CallWaiter waiter = request.callWaiter();
                    return waiter != null
                            && waiter.call().isRunBy(from)
                            && !request.response().isClosed();
                })
                .forEach(request -> request.response().send(line));
    }

    /** Passes the change of a resource to the listen subscriptions. */
    public void onResourceUpdated(List<String> to, String uri) {
        List.copyOf(inFlightStatelessRequests.values()).stream()
                .filter(request -> to.isEmpty() || to.contains(request.caller().id()))
                .map(InFlightStatelessRequest::listenSubscription)
                .filter(Objects::nonNull)
                .forEach(each -> each.onResourceUpdated(uri));
    }
}
