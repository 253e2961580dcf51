package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a server wants before it goes on. Immutable.
 *
 * @param methods of what it asks whoever is behind the request
 * @param state what it wants to be told when it is asked again, as it was written
 */
record Wish(SortedSet<String> methods, Optional<String> state) {
    /** What a server may ask for, and what a client declares who can give it. */
    private static final Map<String, String> METHODS = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

    static Wish of(String result) {
        Json whole = Json.parse(result).orElseGet(Json::object);
        return new Wish(
                whole.at("inputRequests").members().values().stream()
                        .map(each -> each.at("method").text())
                        .collect(Collectors.toCollection(TreeSet::new)),
                Optional.of(whole.at("requestState"))
                        .filter(each -> each.type() == Json.Type.TEXT)
                        .map(Json::raw));
    }

    /** Whether there is such a thing in MCP. */
    boolean isSensible() {
        return METHODS.keySet().containsAll(methods) && (!methods.isEmpty() || state.isPresent());
    }

    /** Whether who declared that could give all of it. */
    boolean isMetBy(Json declared) {
        return methods.stream().allMatch(each -> has(declared, METHODS.getOrDefault(each, each)));
    }

    /** Whether there is anything that could be asked for. */
    static boolean isAnyMetBy(Json declared) {
        return METHODS.values().stream().anyMatch(each -> has(declared, each));
    }

    private static boolean has(Json declared, String capability) {
        return declared.at(capability).type() == Json.Type.OBJECT;
    }

    /** Says to a client what it would have had to declare. */
    Message.Failure undeclared(String name) {
        Json required = Json.object();
        for (String method : methods) {
            required = required.with(METHODS.getOrDefault(method, method), Json.object());
        }
        return RpcError.MISSING_CAPABILITY.failure(
                "null",
                "the server of '" + name + "' asks for something before it goes on, and who sent the request did"
                        + " not declare that they could give it: " + String.join(", ", methods),
                Json.object().with("requiredCapabilities", required));
    }

    /** Whoever proposed the call may well have declared all of it, so this is no want of theirs. */
    Message.Failure afterApproval(String name) {
        return RpcError.INTERNAL.failure(
                "null",
                "the call was approved as it is, and the server of '" + name + "' asks for more before it goes on,"
                        + " which nobody here gives: " + String.join(", ", methods));
    }
}
