package dev.gavel.mcp.facade.legacy;

import dev.gavel.gateway.Topic;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Call;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Progress;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.facade.call.Words;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.facade.desk.Subscriptions;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client's conversation with the facade. Confined to the topic's loop. */
final class Session {
    /** How long a client whose connection broke has to come back. */
    private static final long RETURN_MILLIS = 10_000;

    /** What runs at a server. */
    private static final Set<String> CALLS = Set.of("tools/call", "prompts/get", "resources/read");

    private final String id;
    private final Room room;
    private final Desk desk;
    private final Visitor visitor;
    private final Caller caller;
    private final Runnable revoked;
    private final Streams streams;
    private final Map<String, Waiter> waiting = new HashMap<>();
    private final Map<String, Call> calls = new HashMap<>();

    /** Which request a stream belongs to. */
    private final Map<String, String> requests = new HashMap<>();

    private final Subscriptions subscriptions;
    private final Topic.Attending attending;
    private Severity severity = Severity.DEBUG;
    private Instant active;
    private boolean over;

    /**
     * A session that has just begun.
     *
     * @param revoked ends it, on the topic's loop, when what its client came with is no longer good
     */
    Session(String id, Desk desk, Visitor visitor, Runnable revoked) {
        this.id = id;
        this.room = desk.room();
        this.desk = desk;
        this.visitor = visitor;
        this.caller = new Caller(
                visitor.membership(), visitor.settings(), room.records().isPresent());
        this.subscriptions = new Subscriptions(caller, desk);
        this.revoked = revoked;
        this.streams = new Streams(room, this::lost);
        this.active = room.now();
        this.attending = room.topic().attend();
        visitor.warrant().hold(revoked);
    }

    String id() {
        return id;
    }

    boolean isOf(String identity) {
        return caller.id().equals(identity);
    }

    Instant active() {
        return active;
    }

    /** Whether nothing of it is under way, and nobody listens. */
    boolean idle() {
        return waiting.isEmpty() && !streams.listenedTo();
    }

    /** Answers the request that began it. */
    void begin(Message.Request request, Json params, Introduction introduction, Sink sink) {
        Outflow out = streams.begin(sink);
        out.finish(Greeting.answer(request.id(), params, introduction));
        streams.over(out, () -> {});
    }

    void receive(Message.Notification notification) {
        active = room.now();
        if (notification.method().equals("notifications/cancelled")) {
            String params = notification.params().orElse("{}");
            String reason = RawJson.at(params, "reason")
                    .flatMap(Json::parse)
                    .flatMap(Json::ifText)
                    .orElse("");
            RawJson.at(params, "requestId")
                    .ifPresent(request -> cancel(
                            request,
                            reason.isEmpty() ? "the caller cancelled it" : "the caller cancelled it: " + reason));
        }
    }

    private void cancel(String request, String why) {
        Waiter client = waiting.get(request);
        Call call = calls.get(request);
        if (client == null) {
            return;
        }
        if (call == null) {
            client.out().end();
            forget(client);
            streams.over(client.out(), () -> {});
        } else {
            call.cancel(why);
        }
    }

    private void forget(Waiter client) {
        waiting.remove(client.id(), client);
        requests.remove(client.out().name());
    }

    void receive(Message.Request request, Sink sink) {
        active = room.now();
        Outflow out = streams.begin(sink);
        String params = request.params().orElse("{}");
        Waiter client = new Waiter(request.id(), out, sink.streams() ? Progress.of(params) : null);
        if (waiting.putIfAbsent(request.id(), client) != null) {
            out.finish(RpcError.INVALID_REQUEST.failure(
                    request.id(), "A request with this id is still under way; choose another."));
            streams.over(out, () -> {});
            return;
        }
        requests.put(out.name(), request.id());
        try {
            answer(request.method(), params, client);
        } catch (RuntimeException e) {
            room.log("a request failed", e);
            client.settle(RpcError.INTERNAL.failure(request.id(), Words.FAILED));
        }
    }

    private void answer(String method, String params, Waiter client) {
        switch (method) {
            case "ping" -> client.settle(new Message.Response(client.id(), Answers.NOTHING));
            case "resources/subscribe" ->
                Desk.read(params, method, client).ifPresent(json -> subscriptions.subscribe(params, client));
            case "resources/unsubscribe" ->
                Desk.read(params, method, client).ifPresent(json -> {
                    subscriptions.unsubscribe(json.at("uri").text());
                    client.settle(new Message.Response(client.id(), Answers.NOTHING));
                });
            case "logging/setLevel" ->
                Desk.read(params, method, client)
                        .ifPresent(json -> Severity.of(json.at("level").text())
                                .ifPresentOrElse(
                                        level -> {
                                            severity = level;
                                            client.settle(new Message.Response(client.id(), Answers.NOTHING));
                                        },
                                        () -> Desk.refuse(
                                                client,
                                                RpcError.INVALID_PARAMS,
                                                "'level' is one of " + Severity.WORDS + ".")));
            default -> {
                if (!desk.answer(caller, method, levelled(method, params), null, client)) {
                    Desk.refuse(
                            client, RpcError.METHOD_NOT_FOUND, "There is no method " + Excerpt.of(method) + " here.");
                }
            }
        }
    }

    /** Newer servers log for a request that says from which level on; in a session that was said once. */
    private String levelled(String method, String params) {
        return CALLS.contains(method) && params.startsWith("{")
                ? RawJson.with(params, Json.ofText(severity.word()).raw(), Meta.META, Meta.LOG_LEVEL)
                : params;
    }

    /** One request that is under way. */
    private final class Waiter implements Client {
        private final String id;
        private final Outflow out;
        private final @Nullable Progress progress;

        Waiter(String id, Outflow out, @Nullable Progress progress) {
            this.id = id;
            this.out = out;
            this.progress = progress;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public Outflow out() {
            return out;
        }

        @Override
        public @Nullable Progress progress() {
            return progress;
        }

        @Override
        public void placed(Call call) {
            calls.put(id, call);
        }

        @Override
        public void settle(Message answer) {
            forget(this);
            out.finish(answer);
            streams.over(out, () -> {});
        }

        @Override
        public void done(Call call) {
            Session.this.done(id, call, out);
        }

        @Override
        public void unread(Call call) {
            awaitReturn(call, out);
        }
    }

    /** A call is answered, parked or given up. */
    private void done(String request, Call call, Outflow out) {
        Waiter client = waiting.get(request);
        if (client != null && client.out().equals(out)) {
            forget(client);
            calls.remove(request);
        }
        streams.over(out, () -> {
            if (!out.handed()) {
                call.undelivered();
            }
        });
    }

    private void lost(String stream) {
        String request = requests.getOrDefault(stream, "");
        Call call = calls.get(request);
        Waiter client = waiting.get(request);
        if (call != null && client != null) {
            awaitReturn(call, client.out());
        }
    }

    /** The client's connection broke: it may come back for a moment. */
    @SuppressWarnings("FutureReturnValueIgnored") // whoever has come back by then is seen there
    private void awaitReturn(Call call, Outflow out) {
        int losses = out.losses();
        room.topic()
                .loop()
                .schedule(
                        () -> {
                            if (losses == out.losses() && !out.over()) {
                                call.abandoned();
                            }
                        },
                        RETURN_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Has the client listen, or take up what was cut off. */
    void listen(@Nullable String lastEvent, Sink sink) {
        active = room.now();
        streams.listen(lastEvent, sink);
    }

    Streams streams() {
        return streams;
    }

    boolean subscribedTo(String uri) {
        return subscriptions.has(uri);
    }

    /** Hands on a server's log message: beside a call that the server is at, since that is what it is likely about. */
    void log(String from, Severity level, String line) {
        if (level.compareTo(severity) < 0) {
            return;
        }
        calls.entrySet().stream()
                .filter(each -> each.getValue().runBy(from))
                .map(each -> waiting.get(each.getKey()))
                .filter(Objects::nonNull)
                .map(Waiter::out)
                .findFirst()
                .ifPresentOrElse(out -> out.send(line), () -> streams.tell(line));
    }

    /** It is over: nothing of it goes on. */
    void end(String why) {
        if (!over) {
            over = true;
            visitor.warrant().release(revoked);
            List.copyOf(waiting.keySet()).forEach(request -> cancel(request, why));
            streams.end();
            subscriptions.close();
            attending.close();
        }
    }
}
