package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;

/** Puts answers into the form of this version: what kind of result it is, how long it may be kept, who made it. Immutable. */
final class Results {
    private static final String TYPE = "resultType";

    /** Codes of older versions. */
    private static final int RESOURCE_NOT_FOUND = -32002;

    private static final int URL_NEEDED = -32042;

    /** Lists change seldom, and whoever wants to know at once listens. What one caller sees concerns no other. */
    private static final String LIST_MILLIS = "5000";

    private final String server;

    Results(Introduction introduction) {
        this.server = Json.write(introduction::writeServer).raw();
    }

    /** An answer of a participant's, with what it left out because its version has no such thing. */
    Message passed(String method, Message answer) {
        return switch (answer) {
            case Message.Response(String id, String result) -> new Message.Response(id, kept(method, complete(result)));
            case Message.Failure failure -> new Message.Failure(failure.id(), permitted(failure));
            default -> answer;
        };
    }

    /** The error with a code that this version knows: some of older versions may not be used any more. */
    static String permitted(Message.Failure failure) {
        RpcError instead = switch (Math.toIntExact(Math.clamp(failure.code(), Integer.MIN_VALUE, Integer.MAX_VALUE))) {
            case RESOURCE_NOT_FOUND -> RpcError.INVALID_PARAMS;
            case URL_NEEDED -> RpcError.INTERNAL;
            default -> null;
        };
        return instead == null
                ? failure.error()
                : RawJson.with(failure.error(), Integer.toString(instead.code()), "code");
    }

    /** An answer of our own making. */
    Message own(String method, Message answer) {
        Message passed = passed(method, answer);
        return passed instanceof Message.Response(String id, String result)
                ? new Message.Response(id, RawJson.with(result, server, Meta.META, Meta.SERVER))
                : passed;
    }

    /** A result that says of what kind it is. */
    static String complete(String result) {
        // What is no text is no kind of result.
        return RawJson.at(result, TYPE).filter(type -> type.startsWith("\"")).isPresent()
                ? result
                : RawJson.with(result, "\"complete\"", TYPE);
    }

    private static String kept(String method, String result) {
        String millis = switch (method) {
            case "tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover" ->
                LIST_MILLIS;
            case "resources/read" -> "0";
            default -> "";
        };
        if (millis.isEmpty()
                || RawJson.at(result, TYPE).filter("\"input_required\""::equals).isPresent()) {
            return result;
        }
        String timed = has(result, "ttlMs") ? result : RawJson.with(result, millis, "ttlMs");
        return has(timed, "cacheScope") ? timed : RawJson.with(timed, "\"private\"", "cacheScope");
    }

    private static boolean has(String result, String name) {
        return RawJson.at(result, name).isPresent();
    }
}
