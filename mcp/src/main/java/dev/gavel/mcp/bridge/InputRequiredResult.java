package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A server's {@code input_required} result: the input it requests from the client, and the state to return when the
 * request is sent again. Immutable.
 *
 * @param methods the methods of the input requests to the client
 * @param requestState the state that the server expects back when the request is sent again, as raw JSON
 */
record InputRequiredResult(SortedSet<String> methods, Optional<String> requestState) {
    /** The methods of input requests, each with the capability that a client declares to support it. */
    private static final Map<String, String> METHODS = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

    static InputRequiredResult of(String result) {
        Json json = Json.parse(result).orElseGet(Json::object);
        return new InputRequiredResult(
                json.at("inputRequests").members().values().stream()
                        .map(each -> each.at("method").text())
                        .collect(Collectors.toCollection(TreeSet::new)),
                Optional.of(json.at("requestState"))
                        .filter(each -> each.type() == Json.Type.TEXT)
                        .map(Json::raw));
    }

    /** Whether MCP allows this result: it has only known methods, and input requests or a request state. */
    boolean isValid() {
        return METHODS.keySet().containsAll(methods) && (!methods.isEmpty() || requestState.isPresent());
    }

    /** Whether a client that declares these capabilities can supply all of the input. */
    boolean isSupportedBy(Json clientCapabilities) {
        return methods.stream().allMatch(each -> hasCapability(clientCapabilities, METHODS.getOrDefault(each, each)));
    }

    /** Whether this is the method of an input request. */
    static boolean isInputMethod(String method) {
        return METHODS.containsKey(method);
    }

    /** Whether a client that declares these capabilities can answer an input request. */
    static boolean isSupportedBy(Json clientCapabilities, String method, String params) {
        boolean opensUrl =
                RawJsonEditor.at(params, "mode").filter("\"url\""::equals).isPresent();
        return hasCapability(clientCapabilities, METHODS.getOrDefault(method, method))
                && (!opensUrl || hasCapability(clientCapabilities.at("elicitation"), "url"));
    }

    /** Whether a client that declares these capabilities can supply any kind of input. */
    static boolean isAnySupportedBy(Json clientCapabilities) {
        return METHODS.values().stream().anyMatch(each -> hasCapability(clientCapabilities, each));
    }

    private static boolean hasCapability(Json clientCapabilities, String capability) {
        return clientCapabilities.at(capability).type() == Json.Type.OBJECT;
    }

    /** Returns the error that lists the capabilities that the client would have had to declare. */
    RpcMessage.ErrorResponse missingCapabilityError(String name) {
        Json required = Json.object();
        for (String method : methods) {
            required = required.with(METHODS.getOrDefault(method, method), Json.object());
        }
        return RpcErrorCode.MISSING_CAPABILITY.toResponse(
                "null",
                "The server '" + name + "' needs input to continue, and the client did not declare that it supports"
                        + " this: " + String.join(", ", methods) + ".",
                Json.object().with("requiredCapabilities", required));
    }

    /**
     * Returns the error for an approved call. The proposer may have declared all of the capabilities, so the error does
     * not name a missing capability.
     */
    RpcMessage.ErrorResponse afterApprovalError(String name) {
        return RpcErrorCode.INTERNAL.toResponse(
                "null",
                "The call was approved, but the server '" + name + "' needs more input to continue, which an approved"
                        + " call cannot supply: " + String.join(", ", methods) + ".");
    }
}
