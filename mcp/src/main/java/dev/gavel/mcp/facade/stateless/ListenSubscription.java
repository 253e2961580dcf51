package dev.gavel.mcp.facade.stateless;

import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.facade.call.ChangeNotificationBatcher;
import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.ClientResourceSubscriptions;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/**
 * Handles one open {@code subscriptions/listen} request: sends the client the notifications that the request subscribes
 * to. Confined to the topic's loop.
 */
final class ListenSubscription {
    /** How long the participants may take to confirm the resource subscriptions, and the ledger to load the tasks. */
    private static final long ACKNOWLEDGE_TIMEOUT_MILLIS = 5_000;

    private final InFlightStatelessRequest request;
    private final TopicCalls calls;
    private final TaskRequestHandler taskRequestHandler;
    private final ClientResourceSubscriptions clientResourceSubscriptions;
    private final Topic.RemoteTrafficSubscription topicSubscription;
    private final ChangeNotificationBatcher changeBatcher;

    /** The resources whose participants have confirmed the subscription. */
    private final Set<String> resources = new LinkedHashSet<>();

    private final Set<String> watchedTasks = new LinkedHashSet<>();

    /** The last state sent of each task, so that no state is sent twice and no older state after a newer one. */
    private final Map<String, ProposalTask> lastSent = new HashMap<>();

    private final List<InternalSubscribeRequest> subscribeRequests = new ArrayList<>();
    private Set<String> lists = Set.of();
    private int outstandingChecks;
    private boolean acknowledged;

    ListenSubscription(
            InFlightStatelessRequest request,
            McpRequestDispatcher mcpRequestDispatcher,
            TaskRequestHandler taskRequestHandler) {
        this.request = request;
        this.calls = mcpRequestDispatcher.calls();
        this.taskRequestHandler = taskRequestHandler;
        this.clientResourceSubscriptions = new ClientResourceSubscriptions(request.caller(), mcpRequestDispatcher);
        this.changeBatcher = new ChangeNotificationBatcher(calls, this::sendNotification);
        this.topicSubscription = calls.topic().subscribeToRemote();
    }

    /** Checks which resources and tasks the client may subscribe to, acknowledges them, and starts. */
    @SuppressWarnings("FutureReturnValueIgnored") // the timeout acknowledges what is confirmed by then
    void start(ListenFilter filter) {
        lists = filter.lists();
        outstandingChecks = filter.resources().size() + filter.tasks().size();
        for (String uri : filter.resources()) {
            String params = ClientMessageFactory.jsonObject(json -> json.writeStringProperty("uri", uri))
                    .raw();
            InternalSubscribeRequest internalSubscribeRequest =
                    new InternalSubscribeRequest(request.id(), confirmed -> {
                        if (confirmed && !acknowledged) {
                            resources.add(uri);
                        }
                        onChecked();
                    });
            subscribeRequests.add(internalSubscribeRequest);
            clientResourceSubscriptions.subscribe(params, internalSubscribeRequest);
        }
        for (String id : filter.tasks()) {
            taskRequestHandler.findProposal(
                    request.caller(),
                    id,
                    found -> {
                        if (!acknowledged) {
                            found.ifPresent(view -> watchedTasks.add(id));
                        }
                        onChecked();
                    },
                    failure -> onChecked());
        }
        if (outstandingChecks == 0) {
            acknowledge();
        } else {
            calls.topic().loop().schedule(this::acknowledge, ACKNOWLEDGE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void onChecked() {
        if (--outstandingChecks == 0) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (acknowledged) {
            return;
        }
        acknowledged = true;
        List<String> ids = List.copyOf(watchedTasks);
        send(
                "notifications/subscriptions/acknowledged",
                json -> new ListenFilter(lists, List.copyOf(resources), ids).write(json));
        // A change between the check and the acknowledgement must not be missed.
        ids.forEach(this::onProposalChange);
    }

    private void send(String method, Consumer<JsonGenerator> params) {
        request.response().send(ClientMessageFactory.notification(method, json -> {
            json.writeObjectPropertyStart(McpMetaFields.META);
            json.writeName(McpMetaFields.SUBSCRIPTION);
            json.writeRawValue(request.id());
            json.writeEndObject();
            params.accept(json);
        }));
    }

    private void sendNotification(String method) {
        send(method, json -> {});
    }

    /** Handles the change of a list. */
    void onListChanged(String notification) {
        if (acknowledged && lists.contains(notification)) {
            changeBatcher.add(notification);
        }
    }

    /** Handles the change of a resource. */
    void onResourceUpdated(String uri) {
        if (acknowledged && resources.contains(uri)) {
            send("notifications/resources/updated", json -> json.writeStringProperty("uri", uri));
        }
    }

    /** Handles the change of a proposal. */
    void onProposalChange(String proposal) {
        if (acknowledged && watchedTasks.contains(proposal)) {
            taskRequestHandler.findProposal(
                    request.caller(),
                    proposal,
                    found -> found.ifPresent(view -> {
                        ProposalTask task = taskRequestHandler.toTask(view);
                        if (task.isNewerThan(lastSent.get(proposal))) {
                            lastSent.put(proposal, task);
                            send("notifications/tasks", task::write);
                        }
                    }),
                    failure -> calls.log("A task could not be read.", failure));
        }
    }

    /** Releases the subscriptions after the client has disconnected. */
    void close() {
        subscribeRequests.forEach(InternalSubscribeRequest::cancel);
        clientResourceSubscriptions.close();
        topicSubscription.close();
    }

    /** Ends the request with a response. */
    void complete() {
        if (!request.response().isClosed()) {
            request.response()
                    .complete(new RpcMessage.ResultResponse(
                            request.id(),
                            ClientMessageFactory.jsonObject(json -> {
                                        json.writeObjectPropertyStart(McpMetaFields.META);
                                        json.writeName(McpMetaFields.SUBSCRIPTION);
                                        json.writeRawValue(request.id());
                                        json.writeEndObject();
                                    })
                                    .raw()));
        }
    }
}
