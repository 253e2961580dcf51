package dev.gavel.mcp.facade;

import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One client's conversation with the facade. Confined to the topic's loop. */
final class Session {
    /** How long what was sent last is kept for a client that was cut off. */
    private static final long KEPT_MILLIS = 30_000;

    private static final String GENERAL = "g";
    private static final Pattern EVENT = Pattern.compile("([a-z0-9]{1,20})_(\\d{1,15})");

    /** So many notifications together make one. */
    private static final long GATHER_MILLIS = 50;

    private final String id;
    private final Room room;
    private final Placing placing;
    private final OwnTools own;
    private final Visitor visitor;
    private final Caller caller;
    private final Runnable revoked;
    private final Map<String, Outflow> outflows = new HashMap<>();
    private final Map<String, Client> waiting = new HashMap<>();
    private final Map<String, Call> calls = new HashMap<>();
    private final Outflow general = new Outflow(GENERAL, () -> {});
    private final Set<String> subscriptions = new HashSet<>();
    private final Set<String> toTell = new LinkedHashSet<>();
    private Severity severity = Severity.DEBUG;
    private Instant active;
    private boolean listened;
    private boolean over;
    private long requests;

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
        this.revoked = revoked;
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
        return waiting.isEmpty() && !general.read();
    }

    /** Answers the request that began it. */
    void begin(Message.Request request, Json params, String program, Sink sink) {
        Outflow out = outflow(sink);
        Version version = Version.of(params.at("protocolVersion").text()).orElse(Version.NEWEST);
        finish(out, Answers.result(request.id(), json -> {
            json.writeStringProperty("protocolVersion", version.date());
            json.writeObjectPropertyStart("capabilities");
            for (String listing : List.of("tools", "prompts", "resources")) {
                json.writeObjectPropertyStart(listing);
                json.writeBooleanProperty("listChanged", true);
                if (listing.equals("resources")) {
                    json.writeBooleanProperty("subscribe", true);
                }
                json.writeEndObject();
            }
            json.writeObjectPropertyStart("logging");
            json.writeEndObject();
            json.writeObjectPropertyStart("completions");
            json.writeEndObject();
            json.writeEndObject();
            json.writeObjectPropertyStart("serverInfo");
            json.writeStringProperty("name", "gavel");
            json.writeStringProperty("title", "Gavel: " + room.topic().name());
            json.writeStringProperty("version", program);
            json.writeEndObject();
            if (caller.ledger()) {
                json.writeStringProperty("instructions", Words.INSTRUCTIONS);
            }
        }));
    }

    void receive(Message.Notification notification) {
        active = room.now();
        if (notification.method().equals("notifications/cancelled")) {
            Json params = params(notification);
            String reason = params.at("reason").text();
            cancel(
                    params.at("requestId").raw(),
                    reason.isEmpty() ? "the caller cancelled it" : "the caller cancelled it: " + reason);
        }
    }

    private void cancel(String request, String why) {
        Client client = waiting.remove(request);
        if (client != null) {
            Call call = calls.remove(request);
            if (call == null) {
                client.out().end();
                outflows.remove(client.out().name());
            } else {
                call.cancel(why);
            }
        }
    }

    void receive(Message.Request request, Sink sink) {
        active = room.now();
        Outflow out = outflow(sink);
        String id = request.id();
        Json params = params(request);
        Json token = params.at("_meta").at("progressToken");
        Client client = new Client(id, out, Progress.of(token), call -> done(id, call, out));
        if (waiting.putIfAbsent(id, client) != null) {
            outflows.remove(out.name());
            out.finish(
                    RpcError.INVALID_REQUEST.failure(id, "A request with this id is still under way; choose another."));
            return;
        }
        try {
            answer(request.method(), params, client);
        } catch (RuntimeException e) {
            room.log("a request failed", e);
            settle(client, RpcError.INTERNAL.failure(id, "Something went wrong here; the log says what."));
        }
    }

    private void answer(String method, Json params, Client client) {
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
            case "tools/call" -> callTool(params, client);
            case "prompts/get" -> named(Listed.PROMPTS, "prompts/get", "prompt", params, client);
            case "resources/read" ->
                resource(
                        method,
                        params,
                        client,
                        target -> placing.place(caller, target, params, client, placed(client)));
            case "resources/subscribe" -> resource(method, params, client, target -> subscribe(target, params, client));
            case "resources/unsubscribe" -> unsubscribe(params, client);
            case "completion/complete" -> complete(params, client);
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
        settled(() -> settle(client, Answers.result(client.id(), json -> {
            json.writeArrayPropertyStart(field);
            entries.apply(catalogue()).forEach(entry -> json.writeRawValue(entry.raw()));
            json.writeEndArray();
        })));
    }

    /** Once those who are being asked what they offer have answered. */
    private void settled(Runnable then) {
        room.onLoop(room.directory().settled(room.topic()), done -> then.run(), failure -> then.run());
    }

    private Catalogue catalogue() {
        return new Catalogue(room.directory().offers(room.topic()), caller, OwnTools.NAMES);
    }

    private void callTool(Json params, Client client) {
        Optional<String> name = params.at("name").ifText();
        if (name.isPresent() && own.offers(caller, name.get())) {
            room.onLoop(
                    own.call(caller, name.get(), params.at("arguments")),
                    result -> settle(client, new Message.Response(client.id(), result.raw())),
                    failure -> {
                        room.log("a tool of the gateway's own failed", failure);
                        refuse(
                                client,
                                RpcError.INTERNAL,
                                "It failed here; the ledger may not be readable now. Try again.");
                    });
        } else {
            named(Listed.TOOLS, "tools/call", "tool", params, client);
        }
    }

    private void named(Listed what, String method, String word, Json params, Client client) {
        Optional<String> name = params.at("name").ifText();
        if (name.isEmpty()) {
            refuse(client, RpcError.INVALID_PARAMS, "'name' must say which " + word + " is meant.");
            return;
        }
        find(
                () -> catalogue().named(what, method, name.get()),
                target -> placing.place(caller, target, params, client, placed(client)),
                () -> refuse(
                        client,
                        RpcError.INVALID_PARAMS,
                        "Unknown " + word + ": " + Excerpt.of(name.get()) + ". Nobody who is here offers it."));
    }

    private void resource(String method, Json params, Client client, Consumer<Target> then) {
        Optional<String> uri = params.at("uri").ifText();
        if (uri.isEmpty()) {
            refuse(client, RpcError.INVALID_PARAMS, "'uri' must say which resource is meant.");
            return;
        }
        find(
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
    private void find(Supplier<Optional<Target>> look, Consumer<Target> then, Runnable otherwise) {
        Optional<Target> found = look.get();
        if (found.isPresent()) {
            then.accept(found.get());
        } else {
            settled(() -> look.get().ifPresentOrElse(then, otherwise));
        }
    }

    private Placing.Placed placed(Client client) {
        return call -> calls.put(client.id(), call);
    }

    private void subscribe(Target target, Json params, Client client) {
        Target reading = new Target(target.participant(), "resources/read", target.name());
        if (!caller.concernedWith(reading.request())) {
            refuse(client, RpcError.FORBIDDEN, "You may neither read nor propose to read this resource.");
            return;
        }
        subscriptions.add(String.valueOf(target.name()));
        placing.pass(caller, target, params, client, placed(client));
    }

    /** Others may be subscribed still, and the server knows only one subscriber: it goes on telling. */
    private void unsubscribe(Json params, Client client) {
        subscriptions.remove(params.at("uri").text());
        settle(client, new Message.Response(client.id(), Answers.NOTHING));
    }

    private void complete(Json params, Client client) {
        Json reference = params.at("ref");
        Catalogue catalogue = catalogue();
        boolean prompt = reference.at("type").text().equals("ref/prompt");
        Optional<Target> about = prompt
                ? catalogue.named(
                        Listed.PROMPTS, "prompts/get", reference.at("name").text())
                : catalogue.resource("resources/read", reference.at("uri").text());
        if (about.isEmpty() || !mayAskAbout(prompt, about.get())) {
            refuse(client, RpcError.INVALID_PARAMS, "Nobody who is here offers what 'ref' names.");
            return;
        }
        Target target = new Target(about.get().participant(), "completion/complete", null);
        Json named = prompt
                ? params.with(
                        "ref",
                        reference.with(
                                "name", Json.ofText(String.valueOf(about.get().name()))))
                : params;
        placing.pass(caller, target, named, client, placed(client));
    }

    private boolean mayAskAbout(boolean prompt, Target about) {
        return caller.concernedWith(prompt ? about.request() : about.request().withContext(null));
    }

    private void refuse(Client client, RpcError error, String why) {
        settle(client, error.failure(client.id(), why));
    }

    /** Answers a request that no call was placed for. */
    private void settle(Client client, Message answer) {
        waiting.remove(client.id());
        finish(client.out(), answer);
    }

    private void finish(Outflow out, Message answer) {
        out.finish(answer);
        outflows.remove(out.name());
    }

    /** A call is answered, parked or given up. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is not fetched by then is forgotten
    private void done(String request, Call call, Outflow out) {
        waiting.remove(request);
        calls.remove(request);
        Runnable forget = () -> {
            outflows.remove(out.name());
            if (!out.handed()) {
                call.undelivered();
            }
        };
        if (out.resumable() && !over) {
            room.topic().loop().schedule(forget, KEPT_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            forget.run();
        }
    }

    private Outflow outflow(Sink sink) {
        String name = "r" + requests++;
        Outflow out = new Outflow(name, () -> lost(name));
        outflows.put(name, out);
        out.attach(sink, 0);
        return out;
    }

    private void lost(String name) {
        waiting.forEach((request, client) -> {
            Call call = calls.get(request);
            if (client.out().name().equals(name) && call != null) {
                call.lost();
            }
        });
    }

    /** A reader has gone away. */
    void detach(Sink sink) {
        List.copyOf(outflows.values()).forEach(out -> out.detach(sink));
        general.detach(sink);
    }

    /** Whether what follows an event is still there; nothing need be there where no event is named. */
    boolean keeps(@Nullable String lastEvent) {
        return lastEvent == null || after(lastEvent).isPresent();
    }

    private record After(Outflow out, long event) {}

    private Optional<After> after(String lastEvent) {
        Matcher id = EVENT.matcher(lastEvent);
        if (!id.matches()) {
            return Optional.empty();
        }
        Outflow out = id.group(1).equals(GENERAL) ? general : outflows.get(id.group(1));
        return Optional.ofNullable(out).map(found -> new After(found, Long.parseLong(id.group(2))));
    }

    /** Has somebody listen for what belongs to no request, or take up what was cut off after an event. */
    void listen(@Nullable String lastEvent, Sink sink) {
        active = room.now();
        After from = Optional.ofNullable(lastEvent)
                .flatMap(this::after)
                .orElseGet(() -> new After(general, listened ? general.sent() : 0));
        listened = true;
        from.out().begin();
        from.out().attach(sink, from.event());
    }

    /** Has the client told that lists have changed; several at once are one. */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens in any case
    void tellChanged(String notification) {
        if (toTell.isEmpty()) {
            room.topic()
                    .loop()
                    .schedule(
                            () -> {
                                List<String> all = List.copyOf(toTell);
                                toTell.clear();
                                all.forEach(each -> general.send(Answers.notification(each)));
                            },
                            GATHER_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
        toTell.add(notification);
    }

    /** Hands on what a server says that belongs to no request. */
    void hear(String from, Message.Notification notification) {
        Json params = params(notification);
        switch (notification.method()) {
            case "notifications/resources/updated" -> {
                if (subscriptions.contains(params.at("uri").text())) {
                    general.send(notification);
                }
            }
            case "notifications/message" -> {
                if (Severity.of(params.at("level").text()).orElse(Severity.INFO).compareTo(severity) >= 0) {
                    // Beside a call of this client that the server is at, since that is what it is likely about.
                    calls.entrySet().stream()
                            .filter(each -> each.getValue().runBy(from))
                            .map(each -> waiting.get(each.getKey()))
                            .filter(Objects::nonNull)
                            .map(Client::out)
                            .findFirst()
                            .orElse(general)
                            .send(notification);
                }
            }
            default -> {}
        }
    }

    /** It is over: nothing of it goes on. */
    void end(String why) {
        if (!over) {
            over = true;
            visitor.warrant().release(revoked);
            List.copyOf(waiting.keySet()).forEach(request -> cancel(request, why));
            general.end();
        }
    }

    private static Json params(Message.Call message) {
        return message.params().flatMap(Json::parse).orElseGet(Json::object);
    }
}
