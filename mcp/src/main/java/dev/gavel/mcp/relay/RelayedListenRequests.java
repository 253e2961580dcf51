package dev.gavel.mcp.relay;

import dev.gavel.mcp.client.StreamableHttpTransport;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks a relayed client's open {@code subscriptions/listen} requests, so that the relay can reopen those whose stream
 * broke. A client over standard input and output has one connection and no reason to think that it broke, so where
 * theirs does, it is opened again behind their back. Thread-safe.
 */
final class RelayedListenRequests {
    static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private static final Duration MIN_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_DELAY = Duration.ofSeconds(10);

    private final Map<String, ListenRequest> openRequests = new HashMap<>();

    private static final class ListenRequest {
        /** What the client was told last that it will hear of; nothing before that. */
        @Nullable
        ListenAcknowledgement acknowledged;

        int failures;
    }

    /** Takes note of a request, if it is such a one. */
    synchronized boolean registerIfListen(RpcMessage.Request request) {
        boolean such = request.method().equals("subscriptions/listen") && StreamableHttpTransport.isStateless(request);
        if (such) {
            openRequests.put(request.id(), new ListenRequest());
        }
        return such;
    }

    /** It is answered, or called off. */
    synchronized void remove(String id) {
        openRequests.remove(id);
    }

    synchronized boolean isOpen(String id) {
        return openRequests.containsKey(id);
    }

    /** How long to wait before one that broke is opened again; nothing where the client has not heard of it yet. */
    synchronized Optional<Duration> retryDelay(String id) {
        ListenRequest listenRequest = openRequests.get(id);
        if (listenRequest == null || listenRequest.acknowledged == null) {
            openRequests.remove(id);
            return Optional.empty();
        }
        Duration wait = MIN_DELAY.multipliedBy(1L << Math.min(listenRequest.failures++, 10));
        return Optional.of(wait.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : wait);
    }

    /**
     * What the client is told instead of a notification: the same, or, where one is open again, what it may have missed of what it
     * was to be told, and what it will be told from now on where that is something else.
     */
    List<RpcMessage.Notification> onNotification(RpcMessage.Notification notification) {
        return notification
                .params()
                .filter(_ -> notification.method().equals(ACKNOWLEDGED))
                .flatMap(raw -> RawJsonEditor.at(raw, McpMetaFields.META, McpMetaFields.SUBSCRIPTION))
                .flatMap(id -> onReopened(id, notification))
                .orElseGet(() -> List.of(notification));
    }

    private synchronized Optional<List<RpcMessage.Notification>> onReopened(
            String id, RpcMessage.Notification acknowledgement) {
        ListenRequest listenRequest = openRequests.get(id);
        if (listenRequest == null) {
            return Optional.empty();
        }
        ListenAcknowledgement before = listenRequest.acknowledged;
        ListenAcknowledgement now = ListenAcknowledgement.fromAcknowledgement(acknowledgement);
        listenRequest.failures = 0;
        listenRequest.acknowledged = now;
        if (before == null) {
            return Optional.empty();
        }
        List<RpcMessage.Notification> told = before.missedNotifications(id);
        if (!now.equals(before)) {
            told.add(acknowledgement);
        }
        return Optional.of(told);
    }
}
