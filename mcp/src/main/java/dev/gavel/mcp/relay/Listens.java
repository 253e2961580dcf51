package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.session.StreamableHttp;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests by which a client hears what changes, for as long as they are open. A client over standard input and output has one
 * connection and no reason to think that it broke, so where theirs does, it is opened again behind their back. Thread-safe.
 */
final class Listens {
    static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private static final Duration FIRST_WAIT = Duration.ofMillis(250);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Map<String, Listen> open = new HashMap<>();

    private static final class Listen {
        /** What the client was told last that it will hear of; nothing before that. */
        @Nullable
        Granted granted;

        int failures;
    }

    /** Takes note of a request, if it is such a one. */
    synchronized boolean begins(Message.Request request) {
        boolean such = request.method().equals("subscriptions/listen") && StreamableHttp.isStateless(request);
        if (such) {
            open.put(request.id(), new Listen());
        }
        return such;
    }

    /** It is answered, or called off. */
    synchronized void ends(String id) {
        open.remove(id);
    }

    synchronized boolean isOpen(String id) {
        return open.containsKey(id);
    }

    /** How long to wait before one that broke is opened again; nothing where the client has not heard of it yet. */
    synchronized Optional<Duration> broke(String id) {
        Listen listen = open.get(id);
        if (listen == null || listen.granted == null) {
            open.remove(id);
            return Optional.empty();
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(listen.failures++, 10));
        return Optional.of(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
    }

    /**
     * What the client is told instead of a notification: the same, or, where one is open again, what it may have missed of what it
     * was to be told, and what it will be told from now on where that is something else.
     */
    List<Message.Notification> heard(Message.Notification notification) {
        return notification
                .params()
                .filter(_ -> notification.method().equals(ACKNOWLEDGED))
                .flatMap(raw -> RawJson.at(raw, Meta.META, Meta.SUBSCRIPTION))
                .flatMap(id -> openAgain(id, notification))
                .orElseGet(() -> List.of(notification));
    }

    private synchronized Optional<List<Message.Notification>> openAgain(
            String id, Message.Notification acknowledgement) {
        Listen listen = open.get(id);
        if (listen == null) {
            return Optional.empty();
        }
        Granted before = listen.granted;
        Granted now = Granted.by(acknowledgement);
        listen.failures = 0;
        listen.granted = now;
        if (before == null) {
            return Optional.empty();
        }
        List<Message.Notification> told = before.missed(id);
        if (!now.equals(before)) {
            told.add(acknowledgement);
        }
        return Optional.of(told);
    }
}
