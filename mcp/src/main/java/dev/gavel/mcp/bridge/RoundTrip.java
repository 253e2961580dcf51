package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of what a server answered: it goes back to who asked, as it is or as an error where they could do nothing with it;
 * or the server only wants to be asked again, which needs nobody. Every case is immutable.
 */
sealed interface RoundTrip {
    /** So often a server is asked again. */
    int MOST = 5;

    /** Where a result says of what kind it is. */
    String TYPE = "resultType";

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
     * Judges an answer to a request that was passed on.
     *
     * @param name the bridge's
     * @param stateless whether the server speaks MCP 2026-07-28 or later
     * @param round how often the request was sent before
     */
    static RoundTrip of(String name, boolean stateless, Asked asked, Message.Answer answer, int round) {
        Message.Answer sound = sound(answer, stateless);
        if (!(sound instanceof Message.Response(String _, String result))
                || type(result).filter("input_required"::equals).isEmpty()) {
            return new Over(sound);
        }
        Wish wish = Wish.of(result);
        if (!wish.isSensible()) {
            return new Over(RpcError.INTERNAL.failure(
                    "null",
                    "the server of '" + name + "' asks for something before it goes on, and what it asks for makes no"
                            + " sense"));
        }
        Json declared = asked.declared();
        if (!wish.isMetBy(declared)) {
            return new Over(asked.proposal().isPresent() ? wish.afterApproval(name) : wish.undeclared(name));
        }
        if (!wish.methods().isEmpty() || Wish.isAnyMetBy(declared)) {
            // Who can be asked for more decides themselves what to do about that.
            return new Over(sound);
        }
        if (round >= MOST) {
            return new Over(RpcError.INTERNAL.failure(
                    "null",
                    "the server of '" + name + "' wants to be asked again and again; after " + MOST
                            + " times it is given up"));
        }
        return new Again(wish.state().orElse("null"), Duration.ofMillis(100L << round));
    }

    /**
     * The same answer, as far as anybody in front of a bridge can read it: a result is an object, says of what kind it is once and
     * only where its version knows kinds, and is no task.
     *
     * @param stateless whether the server speaks MCP 2026-07-28 or later
     */
    static Message.Answer sound(Message.Answer answer, boolean stateless) {
        if (!(answer instanceof Message.Response(String id, String result))) {
            return answer;
        }
        if (!result.startsWith("{")) {
            return RpcError.INTERNAL.failure(id, "the server's result is no object");
        }
        if (RawJson.at(result, TYPE).isEmpty()) {
            return answer;
        }
        String rest = RawJson.without(result, TYPE);
        if (RawJson.at(rest, TYPE).isPresent()) {
            // Two readers might each take another one for it.
            return RpcError.INTERNAL.failure(id, "'" + TYPE + "' stands twice in the server's result");
        }
        Optional<String> type = type(result);
        if (type.filter("task"::equals).isPresent()) {
            return RpcError.INTERNAL.failure(id, "the server made a task of it, which nobody here can ask for");
        }
        return stateless && type.isPresent() ? answer : new Message.Response(id, rest);
    }

    private static Optional<String> type(String result) {
        return RawJson.at(result, TYPE).flatMap(Json::parse).flatMap(Json::ifText);
    }
}
