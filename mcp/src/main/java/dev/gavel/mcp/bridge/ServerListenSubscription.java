package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.ListChangedNotification;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a {@code subscriptions/listen} request open at a bridged MCP server, to learn of changed lists and of changes
 * to subscribed resources. If the set of resources changes, it opens a new request before it closes the old one. If the
 * request breaks, it opens another one and reports everything that may have been missed as changed. Thread-safe.
 */
final class ServerListenSubscription {
    private static final int MAX_RESOURCES = 1000;
    private static final int MAX_URI_LENGTH = 8000;
    private static final Duration MIN_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private final String name;
    private final McpClientSession mcpClientSession;
    private final Consumer<Set<String>> missedListener;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    // Guarded by this.
    private final Map<String, Set<String>> subscribersByUri = new LinkedHashMap<>();
    private List<WaitingSubscription> waitingSubscriptions = new ArrayList<>();
    private List<WaitingSubscription> awaitingAcknowledgement = List.of();
    private @Nullable ListenRequest current;
    private @Nullable ListenRequest opening;
    private boolean reopenNeeded;
    private boolean mayHaveMissed;
    private boolean closed;
    private int failures;

    /** A listen request at the server, with the resources that it covers. */
    private record ListenRequest(String id, Set<String> uris) {}

    /**
     * A subscribe or unsubscribe request that waits for the server's acknowledgement.
     *
     * @param subscriber the participant to remove if the subscription fails; empty if there is none to remove
     */
    private record WaitingSubscription(
            String uri, Optional<String> subscriber, Consumer<RpcMessage.Response> responseCallback) {}

    /**
     * Creates a subscription that is not started yet.
     *
     * @param missedListener called with the subscribed resources when notifications of the server may have been missed
     */
    ServerListenSubscription(String name, McpClientSession session, Consumer<Set<String>> missedListener) {
        this.name = name;
        this.mcpClientSession = session;
        this.missedListener = missedListener;
    }

    /**
     * Opens the listen request. The result completes with true when the server has acknowledged it, and with false if
     * it has not or there is nothing to listen for.
     */
    CompletableFuture<Boolean> start() {
        if (nothingToListenFor(Set.of())) {
            ready.complete(false);
        } else {
            open();
        }
        return ready;
    }

    /** Closes the subscription and fails the requests that wait for an acknowledgement. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        failWaiting();
    }

    private void failWaiting() {
        List<WaitingSubscription> all;
        synchronized (this) {
            all = new ArrayList<>(awaitingAcknowledgement);
            all.addAll(waitingSubscriptions);
            awaitingAcknowledgement = List.of();
            waitingSubscriptions.clear();
        }
        all.forEach(each -> each.responseCallback.accept(
                RpcErrorCode.UNAVAILABLE.toResponse("null", "The bridge '" + name + "' is shutting down.")));
    }

    private boolean hasCapabilityFlag(String capability, String flag) {
        return mcpClientSession
                .serverDescription()
                .at("capabilities")
                .at(capability)
                .at(flag)
                .isTrue();
    }

    private boolean announcesChanges(ListChangedNotification change) {
        return hasCapabilityFlag(change.capability(), "listChanged");
    }

    private boolean nothingToListenFor(Set<String> uris) {
        return uris.isEmpty() && Arrays.stream(ListChangedNotification.values()).noneMatch(this::announcesChanges);
    }

    // --- requests from the topic

    /** Subscribes a participant to a resource. */
    void subscribe(TopicRequest topicRequest, Consumer<RpcMessage.Response> responseCallback) {
        String uri = uri(topicRequest).orElse("");
        Optional<RpcMessage.Response> refusal = refusal(uri);
        if (refusal.isPresent()) {
            responseCallback.accept(refusal.get());
            return;
        }
        boolean covered;
        synchronized (this) {
            boolean added = subscribersByUri
                    .computeIfAbsent(uri, _ -> new LinkedHashSet<>())
                    .add(topicRequest.from());
            covered = current != null && current.uris.contains(uri);
            if (!covered) {
                waitingSubscriptions.add(new WaitingSubscription(
                        uri, Optional.of(topicRequest.from()).filter(_ -> added), responseCallback));
            }
        }
        if (covered) {
            responseCallback.accept(emptyResponse());
        } else {
            open();
        }
    }

    private Optional<RpcMessage.Response> refusal(String uri) {
        if (!hasCapabilityFlag("resources", "subscribe")) {
            return Optional.of(RpcErrorCode.METHOD_NOT_FOUND.toResponse(
                    "null", "The server '" + name + "' does not support resource subscriptions."));
        }
        if (uri.isEmpty()) {
            return Optional.of(RpcErrorCode.INVALID_PARAMS.toResponse(
                    "null", "'uri' must be the URI of a resource, with at most " + MAX_URI_LENGTH + " characters."));
        }
        synchronized (this) {
            return subscribersByUri.size() >= MAX_RESOURCES && !subscribersByUri.containsKey(uri)
                    ? Optional.of(RpcErrorCode.BUSY.toResponse(
                            "null",
                            "'" + name + "' has reached its limit of " + MAX_RESOURCES + " subscribed resources."))
                    : Optional.empty();
        }
    }

    /** Unsubscribes a participant from a resource. */
    void unsubscribe(TopicRequest topicRequest, Consumer<RpcMessage.Response> responseCallback) {
        String uri = uri(topicRequest).orElse("");
        boolean last;
        synchronized (this) {
            last = removeSubscriber(uri, topicRequest.from());
            if (last) {
                waitingSubscriptions.add(new WaitingSubscription(uri, Optional.empty(), responseCallback));
            }
        }
        if (last) {
            open();
        } else {
            responseCallback.accept(emptyResponse());
        }
    }

    /** Removes a subscriber. Returns true if it was the last one of the resource. */
    private boolean removeSubscriber(String uri, String subscriber) {
        Set<String> subscribers = subscribersByUri.get(uri);
        if (subscribers == null || !subscribers.remove(subscriber) || !subscribers.isEmpty()) {
            return false;
        }
        subscribersByUri.remove(uri);
        return true;
    }

    private static Optional<String> uri(TopicRequest topicRequest) {
        return topicRequest
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, "uri"))
                .flatMap(Json::parse)
                .flatMap(Json::asText)
                .filter(text -> !text.isEmpty() && text.length() <= MAX_URI_LENGTH);
    }

    private static RpcMessage.Response emptyResponse() {
        return new RpcMessage.ResultResponse("null", "{}");
    }

    // --- requests to the server

    private void open() {
        ListenRequest next;
        synchronized (this) {
            if (opening != null && !closed) {
                reopenNeeded = true;
                return;
            }
            next = closed ? null : new ListenRequest(mcpClientSession.nextId(), Set.copyOf(subscribersByUri.keySet()));
            if (next != null) {
                opening = next;
                reopenNeeded = false;
                awaitingAcknowledgement = waitingSubscriptions;
                waitingSubscriptions = new ArrayList<>();
            }
        }
        if (next == null) {
            failWaiting();
        } else if (nothingToListenFor(next.uris)) {
            onAcknowledged(next.id, Set.of());
        } else {
            mcpClientSession.sendRequest(
                    next.id,
                    "subscriptions/listen",
                    Optional.of(params(next.uris)),
                    response -> onListenEnded(next.id, response));
        }
    }

    private String params(Set<String> uris) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeObjectPropertyStart("notifications");
                    for (ListChangedNotification change : ListChangedNotification.values()) {
                        if (announcesChanges(change)) {
                            json.writeBooleanProperty(change.listenFlag(), true);
                        }
                    }
                    if (!uris.isEmpty()) {
                        json.writeArrayPropertyStart("resourceSubscriptions");
                        uris.forEach(json::writeString);
                        json.writeEndArray();
                    }
                    json.writeEndObject();
                    json.writeEndObject();
                })
                .raw();
    }

    // --- messages from the server

    /**
     * Returns the notification to send to the topic, without the id of the bridge's listen request, or empty if the
     * notification concerns only that request.
     */
    Optional<RpcMessage.Notification> onNotification(RpcMessage.Notification notification) {
        Optional<String> id = notification
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, McpMetaFields.META, McpMetaFields.SUBSCRIPTION));
        return switch (notification.method()) {
            case ACKNOWLEDGED -> {
                Set<String> uris = Set.copyOf(notification
                        .params()
                        .flatMap(raw -> RawJsonEditor.at(raw, "notifications", "resourceSubscriptions"))
                        .flatMap(Json::parse)
                        .map(Json::texts)
                        .orElse(List.of()));
                id.ifPresent(requestId -> onAcknowledged(requestId, uris));
                yield Optional.empty();
            }
            case NotificationEnvelopeFactory.CANCELLED_METHOD -> {
                notification
                        .params()
                        .flatMap(raw -> RawJsonEditor.at(raw, "requestId"))
                        .ifPresent(requestId -> onListenEnded(
                                requestId,
                                RpcErrorCode.UNAVAILABLE.toResponse(requestId, "The server ended the subscription.")));
                yield Optional.empty();
            }
            default -> Optional.of(id.isEmpty() ? notification : withoutSubscriptionId(notification));
        };
    }

    private static RpcMessage.Notification withoutSubscriptionId(RpcMessage.Notification notification) {
        Optional<String> params = notification.params().map(raw -> {
            String meta = RawJsonEditor.without(
                    RawJsonEditor.at(raw, McpMetaFields.META).orElse("{}"), McpMetaFields.SUBSCRIPTION);
            return Json.parse(meta)
                            .filter(remaining -> !remaining.members().isEmpty())
                            .isPresent()
                    ? RawJsonEditor.with(raw, meta, McpMetaFields.META)
                    : RawJsonEditor.without(raw, McpMetaFields.META);
        });
        return new RpcMessage.Notification(notification.method(), params);
    }

    private void onAcknowledged(String id, Set<String> uris) {
        ListenRequest previous;
        ListenRequest now;
        List<WaitingSubscription> waiters;
        boolean reopen;
        boolean notifyMissed;
        synchronized (this) {
            now = opening;
            if (now == null || !now.id.equals(id)) {
                return;
            }
            previous = current;
            current = nothingToListenFor(now.uris) ? null : now;
            opening = null;
            waiters = awaitingAcknowledgement;
            awaitingAcknowledgement = List.of();
            reopen = reopenNeeded;
            notifyMissed = mayHaveMissed;
            mayHaveMissed = false;
            failures = 0;
        }
        if (previous != null) {
            mcpClientSession.ignoreResponse(previous.id);
            mcpClientSession.sendNotification(
                    NotificationEnvelopeFactory.CANCELLED_METHOD,
                    NotificationEnvelopeFactory.cancellationParams(previous.id, Optional.empty()));
        }
        waiters.forEach(each -> respondToWaiting(each, uris));
        if (notifyMissed) {
            missedListener.accept(now.uris);
        }
        ready.complete(true);
        if (reopen) {
            open();
        }
    }

    private void respondToWaiting(WaitingSubscription each, Set<String> uris) {
        if (each.subscriber.isEmpty() || uris.contains(each.uri)) {
            each.responseCallback.accept(emptyResponse());
            return;
        }
        synchronized (this) {
            removeSubscriber(each.uri, each.subscriber.get());
        }
        each.responseCallback.accept(RpcErrorCode.RESOURCE_NOT_FOUND.toResponse(
                "null", "The server '" + name + "' does not report changes of this resource."));
    }

    /** Handles the end of a listen request: the server ended it, or the connection broke. */
    private void onListenEnded(String id, RpcMessage.Response response) {
        List<WaitingSubscription> waiters = List.of();
        boolean reopen;
        int attempt;
        synchronized (this) {
            boolean refused = false;
            if (opening != null && opening.id.equals(id)) {
                opening = null;
                waiters = awaitingAcknowledgement;
                awaitingAcknowledgement = List.of();
                waiters.forEach(
                        each -> each.subscriber.ifPresent(subscriber -> removeSubscriber(each.uri, subscriber)));
                mayHaveMissed |= current == null;
                refused = response instanceof RpcMessage.ErrorResponse errorResponse
                        && (errorResponse.code() == RpcErrorCode.METHOD_NOT_FOUND.code()
                                || errorResponse.code() == RpcErrorCode.INVALID_PARAMS.code());
            } else if (current != null && current.id.equals(id)) {
                current = null;
                mayHaveMissed = true;
            } else {
                return;
            }
            reopen = !closed
                    && (reopenNeeded
                            || (current == null && !refused && !nothingToListenFor(subscribersByUri.keySet())));
            attempt = reopenNeeded ? 0 : failures++;
        }
        RpcMessage.Response failure = response instanceof RpcMessage.ErrorResponse
                ? response
                : RpcErrorCode.UNAVAILABLE.toResponse("null", "The server '" + name + "' ended the subscription.");
        waiters.forEach(each -> each.responseCallback.accept(failure));
        ready.complete(false);
        if (reopen) {
            scheduleReopen(attempt);
        }
    }

    private void scheduleReopen(int attempt) {
        Duration time = MIN_DELAY.multipliedBy(1L << Math.min(attempt, 10));
        Thread.ofVirtual().name("bridge " + name + " listen").start(() -> {
            try {
                Thread.sleep(time.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : time);
                open();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
