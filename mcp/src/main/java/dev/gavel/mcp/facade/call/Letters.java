package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is sent into the topic for a call: the client's own words, as far as they concern anybody there. Stateless. */
final class Letters {
    private Letters() {}

    /**
     * The request that makes a call.
     *
     * @param client null where nobody waits for it
     */
    static Payload request(String id, Target target, String params, @Nullable Client client) {
        String named = named(concerning(params, true), target);
        String sent = client == null ? named : progressing(named, client, id);
        return payload("{\"jsonrpc\":\"2.0\",\"id\":" + Json.ofText(id).raw() + ",\"method\":"
                + Json.ofText(target.method()).raw() + ",\"params\":" + sent + "}");
    }

    /** The proposal of a call. */
    static Payload proposal(String id, Target target, String params, Client client) {
        String named = named(concerning(params, false), target);
        String sent = client.takesProposals(target.method()) ? withoutProgress(named) : progressing(named, client, id);
        return payload("{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + sent + "}");
    }

    static byte[] envelope(String id, Kind kind, Target target, Payload payload) {
        return EnvelopeDraft.of(id, kind)
                .addressed(List.of(target.participant()))
                .encode(Spelling.CURRENT, payload);
    }

    private static Payload payload(String json) {
        return Payload.of(json.getBytes(StandardCharsets.UTF_8));
    }

    /** With the server's own name for the thing. */
    private static String named(String params, Target target) {
        return target.name() == null || target.method().startsWith("resources/")
                ? params
                : RawJson.replaced(params, Json.ofText(target.name()).raw(), "name")
                        .orElse(params);
    }

    /** Whether a call brings answers to what a server has asked before. */
    static boolean answersQuestions(String params) {
        return (params.contains("inputResponses") || params.contains("requestState"))
                && (RawJson.at(params, "inputResponses").isPresent()
                        || RawJson.at(params, "requestState").isPresent());
    }

    /** Nobody waits for progress, and the client's own token may be anybody's. */
    private static String withoutProgress(String params) {
        Optional<String> meta = RawJson.at(params, Meta.META).filter(raw -> raw.startsWith("{"));
        if (meta.isEmpty()) {
            return params;
        }
        String rest = RawJson.without(meta.get(), "progressToken");
        return rest.equals("{}") ? RawJson.without(params, Meta.META) : RawJson.with(params, rest, Meta.META);
    }

    /** With a token of ours for progress. */
    private static String progressing(String params, Client client, String id) {
        return client.progress() == null
                ? params
                : RawJson.replaced(params, Json.ofText(id).raw(), Meta.META, "progressToken")
                        .orElse(params);
    }

    /**
     * Without what a client says of itself with every request. Where the call is its own to make, the server learns what the
     * client could be asked for, since it is the client that would be asked. A call that others approve is run as they saw
     * it: nobody is asked for more.
     */
    private static String concerning(String params, boolean own) {
        if (!params.contains(Meta.PREFIX)) {
            return params;
        }
        Optional<Json> meta = RawJson.at(params, Meta.META).flatMap(Json::parse);
        if (meta.isEmpty()) {
            return params;
        }
        Map<String, String> kept = new LinkedHashMap<>();
        meta.get().members().forEach((name, value) -> {
            if (own && name.equals(Meta.CAPABILITIES)) {
                kept.put(name, withoutTasks(value));
            } else if (!name.startsWith(Meta.PREFIX) || (own && name.equals(Meta.LOG_LEVEL))) {
                kept.put(name, value.raw());
            }
        });
        return kept.isEmpty() ? RawJson.without(params, Meta.META) : RawJson.with(params, object(kept), Meta.META);
    }

    /** A task of the server's own would be known to nobody but its bridge. */
    private static String withoutTasks(Json capabilities) {
        Json extensions = capabilities.at("extensions");
        if (!extensions.at(Meta.TASKS).there()) {
            return capabilities.raw();
        }
        return RawJson.with(capabilities.raw(), RawJson.without(extensions.raw(), Meta.TASKS), "extensions");
    }

    private static String object(Map<String, String> members) {
        return Json.write(json -> {
                    json.writeStartObject();
                    members.forEach((name, value) -> {
                        json.writeName(name);
                        json.writeRawValue(value);
                    });
                    json.writeEndObject();
                })
                .raw();
    }
}
