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
 * broke. A stdio client has a single connection and cannot see that the HTTP stream behind it broke, so the relay
 * reopens the stream without involving the client. Thread-safe.
 */
final class RelayedListenRequests {
    static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private static final Duration MIN_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_DELAY = Duration.ofSeconds(10);

    private final Map<String, ListenRequest> openRequests = new HashMap<>();

    private static final class ListenRequest {
        /** The latest acknowledgement that the client received, or null before the first one. */
        @Nullable
        ListenAcknowledgement acknowledgement;

        int failures;
    }

    /** Registers a request if it is a listen request. Returns whether it is. */
    synchronized boolean registerIfListen(RpcMessage.Request request) {
        boolean isListen =
                request.method().equals("subscriptions/listen") && StreamableHttpTransport.isStateless(request);
        if (isListen) {
            openRequests.put(request.id(), new ListenRequest());
        }
        return isListen;
    }

    /** Removes a request that was answered or cancelled. */
    synchronized void remove(String id) {
        openRequests.remove(id);
    }

    synchronized boolean isOpen(String id) {
        return openRequests.containsKey(id);
    }

    /**
     * Returns the delay before a broken request is reopened, or empty if the client has not received an acknowledgement
     * yet.
     */
    synchronized Optional<Duration> retryDelay(String id) {
        ListenRequest listenRequest = openRequests.get(id);
        if (listenRequest == null || listenRequest.acknowledgement == null) {
            openRequests.remove(id);
            return Optional.empty();
        }
        Duration delay = MIN_DELAY.multipliedBy(1L << Math.min(listenRequest.failures++, 10));
        return Optional.of(delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay);
    }

    /**
     * Returns the notifications to send to the client for one of the server. If that acknowledges a reopened request,
     * these are the notifications that the client may have missed, and the acknowledgement only if it differs from the
     * previous one.
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
        ListenAcknowledgement before = listenRequest.acknowledgement;
        ListenAcknowledgement now = ListenAcknowledgement.fromAcknowledgement(acknowledgement);
        listenRequest.failures = 0;
        listenRequest.acknowledgement = now;
        if (before == null) {
            return Optional.empty();
        }
        List<RpcMessage.Notification> notifications = before.missedNotifications(id);
        if (!now.equals(before)) {
            notifications.add(acknowledgement);
        }
        return Optional.of(notifications);
    }
}
