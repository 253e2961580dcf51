package dev.gavel.mcp.facade;

import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client's conversation with the facade. Confined to the topic's loop. */
final class Session {
    /** More is asked of nobody but whoever runs a call. */
    private static final int LONGEST_PARAMS = 256 * 1024;

    private static final int LONGEST_URI = 2_048;

    private final String id;
    private final Room room;
    private final Placing placing;
    private final OwnTools own;
    private final Visitor visitor;
    private final Caller caller;
    private final Runnable revoked;
    private final Streams streams;
    private final Map<String, Client> waiting = new HashMap<>();
    private final Map<String, Call> calls = new HashMap<>();

    /** Which request a stream belongs to. */
    private final Map<String, String> requests = new HashMap<>();

    private final Asides asides;
    private Severity severity = Severity.DEBUG;
    private Instant active;
    private boolean over;

    /**
     * A session that has just begun.
     *
     * @param revoked ends it, on the topic's loop, when what its client came with is no longer good
     */
    Session(String id, Room room, Placing placing, OwnTools own, Visitor visitor, Runnable revoked) {
        this.id = id;
        this.room = room;
        this.placing = placing;
        this.own = own;
        this.visitor = visitor;
        this.caller = new Caller(
                visitor.membership(), visitor.settings(), room.records().isPresent());
        this.asides = new Asides(caller, placing);
        this.revoked = revoked;
        this.streams = new Streams(room, this::lost);
        this.active = room.now();
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
    void begin(Message.Request request, Json params, String program, Sink sink) {
        Outflow out = streams.begin(sink);
        out.finish(Greeting.answer(request.id(), params, room.topic().name(), program, caller.ledger()));
        streams.over(out, () -> {});
    }

    void receive(Message.Notification notification) {
        active = room.now();
        if (notification.method().equals("notifications/cancelled")) {
            String params = notification.params().orElse("{}");
            String reason = text(params, "reason").orElse("");
            RawJson.at(params, "requestId")
                    .ifPresent(request -> cancel(
                            request,
                            reason.isEmpty() ? "the caller cancelled it" : "the caller cancelled it: " + reason));
        }
    }

    private void cancel(String request, String why) {
        Client client = waiting.get(request);
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

    private void forget(Client client) {
        waiting.remove(client.id(), client);
        requests.remove(client.out().name());
    }

    void receive(Message.Request request, Sink sink) {
        active = room.now();
        Outflow out = streams.begin(sink);
        String id = request.id();
        String params = request.params().orElse("{}");
        Progress progress = RawJson.at(params, "_meta", "progressToken")
                .flatMap(Json::parse)
                .map(Progress::of)
                .orElse(null);
        Client client = new Client(id, out, progress, call -> done(id, call, out));
        if (waiting.putIfAbsent(id, client) != null) {
            out.finish(
                    RpcError.INVALID_REQUEST.failure(id, "A request with this id is still under way; choose another."));
            streams.over(out, () -> {});
            return;
        }
        requests.put(out.name(), id);
        try {
            answer(request.method(), params, client);
        } catch (RuntimeException e) {
            room.log("a request failed", e);
            settle(client, RpcError.INTERNAL.failure(id, "Something went wrong here; the log says what."));
        }
    }

    private static Optional<String> text(String params, String name) {
        return RawJson.at(params, name).flatMap(Json::parse).flatMap(Json::ifText);
    }

    private void answer(String method, String params, Client client) {
        switch (method) {
            case "tools/call" -> callTool(params, client);
            case "prompts/get" -> named(Listed.PROMPTS, "prompts/get", "prompt", params, client);
            case "resources/read" ->
                resource(
                        method,
                        params,
                        client,
                        target -> placing.place(caller, target, params, client, origin(client)));
            default -> {
                if (params.length() > LONGEST_PARAMS) {
                    refuse(client, RpcError.INVALID_PARAMS, "'params' is too long for " + Excerpt.of(method) + ".");
                } else {
                    answer(method, Json.parse(params).orElseGet(Json::object), params, client);
                }
            }
        }
    }

    private void answer(String method, Json params, String raw, Client client) {
        switch (method) {
            case "ping" -> settle(client, new Message.Response(client.id(), Answers.NOTHING));
            case "tools/list" ->
                list(client, params, "tools", catalogue -> {
                    List<Json> tools = new ArrayList<>(catalogue.named(Listed.TOOLS, "tools/call"));
                    tools.addAll(own.list(caller));
                    return tools;
                });
            case "prompts/list" ->
                list(client, params, "prompts", catalogue -> catalogue.named(Listed.PROMPTS, "prompts/get"));
            case "resources/list" -> list(client, params, "resources", Catalogue::resources);
            case "resources/templates/list" -> list(client, params, "resourceTemplates", Catalogue::templates);
            case "resources/subscribe" ->
                resource(method, raw, client, target -> asides.subscribe(target, raw, client, origin(client)));
            case "resources/unsubscribe" -> {
                asides.unsubscribe(params.at("uri").text());
                settle(client, new Message.Response(client.id(), Answers.NOTHING));
            }
            case "completion/complete" -> asides.complete(catalogue(), params, client, origin(client));
            case "logging/setLevel" ->
                Severity.of(params.at("level").text())
                        .ifPresentOrElse(
                                level -> {
                                    severity = level;
                                    settle(client, new Message.Response(client.id(), Answers.NOTHING));
                                },
                                () -> refuse(
                                        client, RpcError.INVALID_PARAMS, "'level' is one of " + Severity.WORDS + "."));
            default -> refuse(client, RpcError.METHOD_NOT_FOUND, "There is no method " + Excerpt.of(method) + " here.");
        }
    }

    private void list(Client client, Json params, String field, Function<Catalogue, List<Json>> entries) {
        if (params.at("cursor").there()) {
            refuse(client, RpcError.INVALID_PARAMS, "No list here gave that cursor; begin without one.");
            return;
        }
        settled(
                client,
                () -> settle(client, Answers.result(client.id(), json -> {
                    json.writeArrayPropertyStart(field);
                    entries.apply(catalogue()).forEach(entry -> json.writeRawValue(entry.raw()));
                    json.writeEndArray();
                })));
    }

    /** Once those who are being asked what they offer have answered. */
    private void settled(Client client, Runnable then) {
        Runnable rest = () -> {
            if (!client.out().over()) {
                then.run();
            }
        };
        room.onLoop(room.directory().settled(room.topic()), done -> rest.run(), failure -> rest.run());
    }

    private Catalogue catalogue() {
        return new Catalogue(room.directory().offers(room.topic()), caller, OwnTools.NAMES);
    }

    private void callTool(String params, Client client) {
        Optional<String> name = text(params, "name");
        if (name.isEmpty() || !own.offers(caller, name.get())) {
            named(Listed.TOOLS, "tools/call", "tool", params, client);
        } else if (params.length() > LONGEST_PARAMS) {
            refuse(client, RpcError.INVALID_PARAMS, "'params' is too long for " + name.get() + ".");
        } else {
            Json arguments = Json.parse(params).orElseGet(Json::object).at("arguments");
            room.onLoop(
                    own.call(caller, name.get(), arguments),
                    result -> settle(client, new Message.Response(client.id(), result.raw())),
                    failure -> {
                        room.log("a tool of the gateway's own failed", failure);
                        refuse(
                                client,
                                RpcError.INTERNAL,
                                "It failed here; the ledger may not be readable now. Try again.");
                    });
        }
    }

    private void named(Listed what, String method, String word, String params, Client client) {
        Optional<String> name = text(params, "name");
        if (name.isEmpty()) {
            refuse(client, RpcError.INVALID_PARAMS, "'name' must say which " + word + " is meant.");
            return;
        }
        find(
                client,
                () -> catalogue().named(what, method, name.get()),
                target -> placing.place(caller, target, params, client, origin(client)),
                () -> refuse(
                        client,
                        RpcError.INVALID_PARAMS,
                        "Unknown " + word + ": " + Excerpt.of(name.get()) + ". Nobody who is here offers it."));
    }

    private void resource(String method, String params, Client client, Consumer<Target> then) {
        Optional<String> uri = text(params, "uri").filter(each -> each.length() <= LONGEST_URI);
        if (uri.isEmpty()) {
            refuse(
                    client,
                    RpcError.INVALID_PARAMS,
                    "'uri' must say which resource is meant, in at most 2048 characters.");
            return;
        }
        find(
                client,
                () -> catalogue().resource(method, uri.get()),
                then,
                () -> settle(
                        client,
                        RpcError.RESOURCE_NOT_FOUND.failure(
                                client.id(),
                                "Resource not found: nobody who is here offers it.",
                                Answers.object(json -> json.writeStringProperty("uri", uri.get())))));
    }

    /** Looks something up; where it is not there, once more when those who are being asked have answered. */
    private void find(Client client, Supplier<Optional<Target>> look, Consumer<Target> then, Runnable otherwise) {
        Optional<Target> found = look.get();
        if (found.isPresent()) {
            then.accept(found.get());
        } else {
            settled(client, () -> look.get().ifPresentOrElse(then, otherwise));
        }
    }

    private Placing.Origin origin(Client client) {
        return new Placing.Origin() {
            @Override
            public void placed(Call call) {
                calls.put(client.id(), call);
            }

            @Override
            public void refused(Message answer) {
                settle(client, answer);
            }
        };
    }

    private void refuse(Client client, RpcError error, String why) {
        settle(client, error.failure(client.id(), why));
    }

    /** Answers a request that no call was placed for. */
    private void settle(Client client, Message answer) {
        forget(client);
        client.out().finish(answer);
        streams.over(client.out(), () -> {});
    }

    /** A call is answered, parked or given up. */
    private void done(String request, Call call, Outflow out) {
        Client client = waiting.get(request);
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
        Call call = calls.get(requests.getOrDefault(stream, ""));
        if (call != null) {
            call.lost();
        }
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
        return asides.subscribedTo(uri);
    }

    /** Hands on a server's log message: beside a call that the server is at, since that is what it is likely about. */
    void log(String from, String level, String line) {
        if (Severity.of(level).orElse(Severity.INFO).compareTo(severity) < 0) {
            return;
        }
        calls.entrySet().stream()
                .filter(each -> each.getValue().runBy(from))
                .map(each -> waiting.get(each.getKey()))
                .filter(Objects::nonNull)
                .map(Client::out)
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
        }
    }
}
