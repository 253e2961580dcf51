package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Client;
import dev.gavel.mcp.facade.call.Placing;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Target;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.ParamHeaders;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers what clients of every version of MCP ask alike: what a topic offers, and calls of it. Confined to the topic's loop. */
public final class Desk {
    /** More is asked of nobody but whoever runs a call. */
    private static final int LONGEST_PARAMS = 256 * 1024;

    private static final int LONGEST_URI = 2_048;

    private final Room room;
    private final Placing placing;
    private final OwnTools own;
    private final Interest interest = new Interest();

    public Desk(Room room) {
        this.room = room;
        this.placing = new Placing(room);
        this.own = new OwnTools(room);
    }

    /** The topic's calls. */
    public Room room() {
        return room;
    }

    Interest interest() {
        return interest;
    }

    Placing placing() {
        return placing;
    }

    /**
     * Answers a request, or has it answered.
     *
     * @param mirrored the arguments that HTTP headers say as well, by the headers' names; null where none need to
     * @return whether there is such a method
     */
    public boolean answer(
            Caller caller, String method, String params, @Nullable Map<String, String> mirrored, Client client) {
        switch (method) {
            case "tools/call" -> callTool(caller, params, mirrored, client);
            case "prompts/get" ->
                named(caller, Listed.PROMPTS, "prompt", params, client, target -> {
                    placing.place(caller, target, params, client);
                });
            case "resources/read" ->
                resource(caller, method, params, client, target -> placing.place(caller, target, params, client));
            case "tools/list" ->
                list(caller, client, params, "tools", catalogue -> {
                    List<Json> tools = new ArrayList<>(catalogue.named(Listed.TOOLS, "tools/call"));
                    tools.addAll(own.list(caller));
                    return tools;
                });
            case "prompts/list" ->
                list(caller, client, params, "prompts", catalogue -> catalogue.named(Listed.PROMPTS, "prompts/get"));
            case "resources/list" -> list(caller, client, params, "resources", Catalogue::resources);
            case "resources/templates/list" -> list(caller, client, params, "resourceTemplates", Catalogue::templates);
            case "completion/complete" ->
                read(params, method, client).ifPresent(json -> complete(caller, json, client));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The parameters of a request that is ours to answer; nothing where they are too long, which the client was told. */
    public static Optional<Json> read(String params, String method, Client client) {
        if (params.length() > LONGEST_PARAMS) {
            refuse(client, RpcError.INVALID_PARAMS, "'params' is too long for " + Excerpt.of(method) + ".");
            return Optional.empty();
        }
        return Optional.of(Json.parse(params).orElseGet(Json::object));
    }

    /** Answers that it cannot be done. */
    public static void refuse(Client client, RpcError error, String why) {
        client.settle(error.failure(client.id(), why));
    }

    private void list(
            Caller caller, Client client, String params, String field, Function<Catalogue, List<Json>> entries) {
        if (RawJson.at(params, "cursor").isPresent()) {
            refuse(client, RpcError.INVALID_PARAMS, "No list here gave that cursor; begin without one.");
            return;
        }
        settled(
                client,
                () -> client.settle(Answers.result(client.id(), json -> {
                    json.writeArrayPropertyStart(field);
                    entries.apply(catalogue(caller)).forEach(entry -> json.writeRawValue(entry.raw()));
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

    private Catalogue catalogue(Caller caller) {
        return new Catalogue(room.directory().offers(room.topic()), caller, OwnTools.NAMES);
    }

    private static Optional<String> text(String params, String name) {
        return RawJson.at(params, name).flatMap(Json::parse).flatMap(Json::ifText);
    }

    private void callTool(Caller caller, String params, @Nullable Map<String, String> mirrored, Client client) {
        Optional<String> name = text(params, "name");
        if (name.isPresent() && own.offers(caller, name.get())) {
            callOwn(caller, name.get(), params, client);
            return;
        }
        named(caller, Listed.TOOLS, "tool", params, client, target -> {
            Optional<String> mismatch = mirrored == null
                    ? Optional.empty()
                    : headers(target).flatMap(headers -> headers.mismatch(params, mirrored));
            mismatch.ifPresentOrElse(
                    why -> refuse(client, RpcError.HEADER_MISMATCH, "Header mismatch: " + why + "."),
                    () -> placing.place(caller, target, params, client));
        });
    }

    private Optional<ParamHeaders> headers(Target target) {
        return room.directory()
                .offers(room.topic())
                .of(target.participant())
                .map(offer -> offer.of(Listed.TOOLS).get(String.valueOf(target.name())))
                .map(tool -> ParamHeaders.of(tool.at("inputSchema")));
    }

    private void callOwn(Caller caller, String name, String params, Client client) {
        read(params, name, client)
                .ifPresent(json -> room.onLoop(
                        own.call(caller, name, json.at("arguments")),
                        result -> client.settle(new Message.Response(client.id(), result.raw())),
                        failure -> {
                            room.log("a tool of the gateway's own failed", failure);
                            refuse(
                                    client,
                                    RpcError.INTERNAL,
                                    "It failed here; the ledger may not be readable now. Try again.");
                        }));
    }

    private void named(Caller caller, Listed what, String word, String params, Client client, Consumer<Target> then) {
        Optional<String> name = text(params, "name");
        if (name.isEmpty()) {
            refuse(client, RpcError.INVALID_PARAMS, "'name' must say which " + word + " is meant.");
            return;
        }
        String method = what == Listed.TOOLS ? "tools/call" : "prompts/get";
        find(
                client,
                () -> catalogue(caller).named(what, method, name.get()),
                then,
                () -> refuse(
                        client,
                        RpcError.INVALID_PARAMS,
                        "Unknown " + word + ": " + Excerpt.of(name.get()) + ". Nobody who is here offers it."));
    }

    /** Finds who has the resource that a request is about. */
    void resource(Caller caller, String method, String params, Client client, Consumer<Target> then) {
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
                () -> catalogue(caller).resource(method, uri.get()),
                then,
                () -> client.settle(RpcError.RESOURCE_NOT_FOUND.failure(
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

    /** Whoever may only propose is given no completions: they would have to be asked for unseen. */
    private void complete(Caller caller, Json params, Client client) {
        Json reference = params.at("ref");
        boolean prompt = reference.at("type").text().equals("ref/prompt");
        Catalogue catalogue = catalogue(caller);
        Optional<Target> found = prompt
                ? catalogue.named(
                        Listed.PROMPTS, "prompts/get", reference.at("name").text())
                : catalogue.resource("resources/read", reference.at("uri").text());
        if (found.isEmpty()) {
            refuse(client, RpcError.INVALID_PARAMS, "Nobody who is here offers what 'ref' names.");
            return;
        }
        Target about = found.get();
        Target target = new Target(about.participant(), "completion/complete", null);
        Json named =
                prompt ? params.with("ref", reference.with("name", Json.ofText(String.valueOf(about.name())))) : params;
        if (caller.may(about, reference.raw()) || caller.may(target, named.raw())) {
            placing.pass(caller, target, named.raw(), client);
        } else {
            refuse(client, RpcError.FORBIDDEN, Placing.missing(caller, about.request()));
        }
    }
}
