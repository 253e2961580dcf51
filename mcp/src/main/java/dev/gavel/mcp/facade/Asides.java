package dev.gavel.mcp.facade;

import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a client asks of servers beside its calls: to be told of a resource's changes, and for completions. Whoever may only
 * propose asks for none of it, since it is sent to the server unseen. Confined to the topic's loop.
 */
final class Asides {
    private static final int MOST_SUBSCRIPTIONS = 1_000;

    private final Caller caller;
    private final Placing placing;
    private final Set<String> subscriptions = new HashSet<>();

    Asides(Caller caller, Placing placing) {
        this.caller = caller;
        this.placing = placing;
    }

    boolean subscribedTo(String uri) {
        return subscriptions.contains(uri);
    }

    void subscribe(Target target, String params, Client client, Placing.Origin origin) {
        String uri = String.valueOf(target.name());
        Target reading = new Target(target.participant(), "resources/read", uri);
        if (!may(reading, params) && !may(target, params)) {
            origin.refused(RpcError.FORBIDDEN.failure(client.id(), Placing.missing(caller, reading.request())));
        } else if (subscriptions.size() >= MOST_SUBSCRIPTIONS) {
            origin.refused(RpcError.BUSY.failure(
                    client.id(), "You are subscribed to as many resources as you may be; unsubscribe from some."));
        } else {
            subscriptions.add(uri);
            placing.pass(caller, target, params, client, origin);
        }
    }

    /** Others may be subscribed still, and the server knows only one subscriber: it goes on telling. */
    void unsubscribe(String uri) {
        subscriptions.remove(uri);
    }

    void complete(Catalogue catalogue, Json params, Client client, Placing.Origin origin) {
        Json reference = params.at("ref");
        boolean prompt = reference.at("type").text().equals("ref/prompt");
        Optional<Target> found = prompt
                ? catalogue.named(
                        Listed.PROMPTS, "prompts/get", reference.at("name").text())
                : catalogue.resource("resources/read", reference.at("uri").text());
        if (found.isEmpty()) {
            origin.refused(RpcError.INVALID_PARAMS.failure(client.id(), "Nobody who is here offers what 'ref' names."));
            return;
        }
        Target about = found.get();
        Target target = new Target(about.participant(), "completion/complete", null);
        Json named =
                prompt ? params.with("ref", reference.with("name", Json.ofText(String.valueOf(about.name())))) : params;
        if (may(about, reference.raw()) || may(target, named.raw())) {
            placing.pass(caller, target, named.raw(), client, origin);
        } else {
            origin.refused(RpcError.FORBIDDEN.failure(client.id(), Placing.missing(caller, about.request())));
        }
    }

    /** Whether the caller may itself send such a request. */
    private boolean may(Target target, String params) {
        String payload = "{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}";
        return caller.member()
                .capabilities()
                .admits(target.request(), Payload.of(payload.getBytes(StandardCharsets.UTF_8)));
    }
}
