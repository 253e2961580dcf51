package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What becomes of an answer to a request behind which nobody can be asked for anything: a server may only want to be asked again,
 * which needs nobody; whatever else it wants it does not get. Every case is immutable.
 */
sealed interface RoundTrip {
    /** So often a server is asked again. */
    int MOST = 5;

    /** This is the answer. */
    record Over(Message.Answer answer) implements RoundTrip {}

    /**
     * The request is to be sent again.
     *
     * @param state what the server is told then, as it was written
     * @param pause how long to wait before
     */
    record Again(String state, Duration pause) implements RoundTrip {}

    /**
     * Judges an answer.
     *
     * @param round how often the request was sent before
     */
    static RoundTrip of(String name, Message.Answer answer, int round) {
        if (!(answer instanceof Message.Response(String _, String result)) || !wantsMore(result)) {
            return new Over(answer);
        }
        Json wanted = RawJson.at(result, "inputRequests").flatMap(Json::parse).orElseGet(Json::object);
        Optional<String> state = RawJson.at(result, "requestState");
        if (!wanted.members().isEmpty() || state.isEmpty()) {
            String what = wanted.members().values().stream()
                    .map(each -> each.at("method").text())
                    .distinct()
                    .limit(5)
                    .collect(Collectors.joining(", "));
            return new Over(RpcError.MISSING_CAPABILITY.failure(
                    "null",
                    "the server of '" + name
                            + "' asks for something before it goes on, and nobody here was asked whether"
                            + " they could give it" + (what.isEmpty() ? "" : ": " + what)));
        }
        if (round >= MOST) {
            return new Over(RpcError.INTERNAL.failure(
                    "null",
                    "the server of '" + name + "' wants to be asked again and again; after " + MOST
                            + " times it is given up"));
        }
        return new Again(state.get(), Duration.ofMillis(100L << round));
    }

    private static boolean wantsMore(String result) {
        return result.contains("input_required")
                && RawJson.at(result, "resultType")
                        .flatMap(Json::parse)
                        .flatMap(Json::ifText)
                        .filter("input_required"::equals)
                        .isPresent();
    }
}
