package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.session.StreamableHttp;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.ArrayList;
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
        final Message.Request request;
        boolean acknowledged;
        int failures;

        Listen(Message.Request request) {
            this.request = request;
        }
    }

    /** Takes note of a request, if it is such a one. */
    synchronized boolean begins(Message.Request request) {
        boolean such = request.method().equals("subscriptions/listen") && StreamableHttp.isStateless(request);
        if (such) {
            open.put(request.id(), new Listen(request));
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
        if (listen == null || !listen.acknowledged) {
            open.remove(id);
            return Optional.empty();
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(listen.failures++, 10));
        return Optional.of(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
    }

    /** What the client is told instead of a notification: the same, or, where one is open again, what it may have missed. */
    List<Message.Notification> heard(Message.Notification notification) {
        Optional<String> id = notification
                .params()
                .filter(_ -> notification.method().equals(ACKNOWLEDGED))
                .flatMap(raw -> RawJson.at(raw, Meta.META, Meta.SUBSCRIPTION));
        Listen again = id.isEmpty() ? null : acknowledged(id.get());
        return again == null ? List.of(notification) : missed(again.request);
    }

    private synchronized @Nullable Listen acknowledged(String id) {
        Listen listen = open.get(id);
        if (listen == null) {
            return null;
        }
        listen.failures = 0;
        boolean before = listen.acknowledged;
        listen.acknowledged = true;
        return before ? listen : null;
    }

    private static List<Message.Notification> missed(Message.Request request) {
        Json wanted = request.params()
                .flatMap(raw -> RawJson.at(raw, "notifications"))
                .flatMap(Json::parse)
                .orElseGet(Json::object);
        String meta = "\"_meta\":{" + Json.ofText(Meta.SUBSCRIPTION).raw() + ":" + request.id() + "}";
        List<Message.Notification> missed = new ArrayList<>();
        for (String list : List.of("tools", "prompts", "resources")) {
            if (wanted.at(list + "ListChanged").isTrue()) {
                missed.add(new Message.Notification(
                        "notifications/" + list + "/list_changed", Optional.of("{" + meta + "}")));
            }
        }
        for (String uri : wanted.at("resourceSubscriptions").texts()) {
            missed.add(new Message.Notification(
                    "notifications/resources/updated",
                    Optional.of("{\"uri\":" + Json.ofText(uri).raw() + "," + meta + "}")));
        }
        return missed;
    }
}
