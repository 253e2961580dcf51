package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;

/**
 * What the bridge does with a server's response: deliver it to the requester, or send the request to the server again.
 * Every case is immutable.
 */
sealed interface ServerResponseAction {
    /** How often a request is sent to the server again at most. */
    int MAX_RETRIES = 5;

    /** The field that holds the type of a result. */
    String RESULT_TYPE = "resultType";

    /** Deliver this response to the requester. */
    record Deliver(RpcMessage.Response response) implements ServerResponseAction {}

    /**
     * Send the request to the server again.
     *
     * @param requestState the state to send back to the server, as raw JSON
     * @param delay how long to wait first
     */
    record Retry(String requestState, Duration delay) implements ServerResponseAction {}

    /**
     * Decides what to do with the server's response to a forwarded request.
     *
     * @param name the bridge's name
     * @param stateless whether the server speaks MCP 2026-07-28 or later
     * @param round how often the request was sent before
     */
    static ServerResponseAction decide(
            String name, boolean stateless, TopicRequest topicRequest, RpcMessage.Response answer, int round) {
        RpcMessage.Response normalized = normalize(answer, stateless);
        if (!(normalized instanceof RpcMessage.ResultResponse(String _, String result))
                || resultType(result).filter("input_required"::equals).isEmpty()) {
            return new Deliver(normalized);
        }
        InputRequiredResult inputRequiredResult = InputRequiredResult.of(result);
        if (!inputRequiredResult.isValid()) {
            return new Deliver(RpcErrorCode.INTERNAL.toResponse(
                    "null",
                    "The server '" + name + "' needs input to continue, but its request for input is invalid."));
        }
        Json clientCapabilities = topicRequest.clientCapabilities();
        if (!inputRequiredResult.isSupportedBy(clientCapabilities)) {
            return new Deliver(
                    topicRequest.proposal().isPresent()
                            ? inputRequiredResult.afterApprovalError(name)
                            : inputRequiredResult.missingCapabilityError(name));
        }
        if (!inputRequiredResult.methods().isEmpty() || InputRequiredResult.isAnySupportedBy(clientCapabilities)) {
            // A client that can supply input decides itself how to go on.
            return new Deliver(normalized);
        }
        if (round >= MAX_RETRIES) {
            return new Deliver(RpcErrorCode.INTERNAL.toResponse(
                    "null", "The server '" + name + "' asked for a retry more than " + MAX_RETRIES + " times."));
        }
        return new Retry(inputRequiredResult.requestState().orElse("null"), Duration.ofMillis(100L << round));
    }

    /**
     * Returns the response in a form that every requester can read. A result must be an object and must not be a task.
     * It has its result type at most once, and only if the protocol version knows result types.
     *
     * @param stateless whether the server speaks MCP 2026-07-28 or later
     */
    static RpcMessage.Response normalize(RpcMessage.Response answer, boolean stateless) {
        if (!(answer instanceof RpcMessage.ResultResponse(String id, String result))) {
            return answer;
        }
        if (!result.startsWith("{")) {
            return RpcErrorCode.INTERNAL.toResponse(id, "The server's result is not a JSON object.");
        }
        if (RawJsonEditor.at(result, RESULT_TYPE).isEmpty()) {
            return answer;
        }
        String rest = RawJsonEditor.without(result, RESULT_TYPE);
        if (RawJsonEditor.at(rest, RESULT_TYPE).isPresent()) {
            // Two parsers might each use a different one.
            return RpcErrorCode.INTERNAL.toResponse(id, "The server's result contains '" + RESULT_TYPE + "' twice.");
        }
        Optional<String> type = resultType(result);
        if (type.filter("task"::equals).isPresent()) {
            return RpcErrorCode.INTERNAL.toResponse(
                    id, "The server returned a task, which the bridge does not support.");
        }
        return stateless && type.isPresent() ? answer : new RpcMessage.ResultResponse(id, rest);
    }

    /** Whether a response says that the server cannot be reached, so that it may still run the request. */
    static boolean isUnavailable(RpcMessage.Response response) {
        return response instanceof RpcMessage.ErrorResponse errorResponse
                && errorResponse.code() == RpcErrorCode.UNAVAILABLE.code();
    }

    private static Optional<String> resultType(String result) {
        return RawJsonEditor.at(result, RESULT_TYPE).flatMap(Json::parse).flatMap(Json::asText);
    }
}
