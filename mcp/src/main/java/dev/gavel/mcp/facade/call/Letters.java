package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is sent into the topic for a call: the client's own words, as far as they concern anybody there. Stateless. */
final class Letters {
    private Letters() {}

    /**
     * The request that makes a call. The server learns what its client could be asked for: it is the client that would be asked.
     *
     * @param client null where nobody waits for it
     */
    static Payload request(String id, Target target, String params, @Nullable Client client) {
        String named = named(Meta.passedOn(params, true), target);
        String sent = client == null ? named : progressing(named, client, id);
        return payload("{\"jsonrpc\":\"2.0\",\"id\":" + Json.ofText(id).raw() + ",\"method\":"
                + Json.ofText(target.method()).raw() + ",\"params\":" + sent + "}");
    }

    /** The proposal of a call, which is run as those saw it who approved: nobody is asked for more. */
    static Payload proposal(String id, Target target, String params, Client client) {
        String named = named(Meta.passedOn(params, false), target);
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
        return RawJson.at(params, "inputResponses").isPresent()
                || RawJson.at(params, "requestState").isPresent();
    }

    /** Where nobody can be told of progress, nobody asks for it; and the client's own token may be anybody's. */
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
                ? withoutProgress(params)
                : RawJson.replaced(params, Json.ofText(id).raw(), Meta.META, "progressToken")
                        .orElse(params);
    }
}
