package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the ids of responses with those of requests, so that a response with an id of another type fails its request
 * instead of leaving it open. Stateless.
 */
final class ResponseIds {
    /** A whole number, as a string or with zeros after the decimal point. */
    private static final Pattern NUMBER = Pattern.compile("\"?\\s*(\\d{1,18})(?:\\.0{1,9})?\\s*\"?");

    private ResponseIds() {}

    /** Returns the numeric id that an id of another type means, such as 7 for "7" or 7.0. All ids are raw JSON. */
    static Optional<String> numberIn(String id) {
        Matcher matcher = NUMBER.matcher(id);
        return matcher.matches() ? Optional.ofNullable(matcher.group(1)) : Optional.empty();
    }

    /** Whether a response is for a request, even if its id has another type. */
    static boolean isFor(RpcMessage.Response response, String requestId) {
        return response.id().equals(requestId)
                || numberIn(response.id()).filter(requestId::equals).isPresent();
    }

    /**
     * Returns the response that a request gets if it is the only one that this response can be for. If the response has
     * another id, the request gets an error.
     */
    static RpcMessage.Response forOnly(RpcMessage.Response response, String requestId) {
        if (response.id().equals(requestId)) {
            return response;
        }
        return response instanceof RpcMessage.ErrorResponse && response.id().equals("null")
                ? response.withId(requestId)
                : mismatch(response.id(), requestId);
    }

    /** Returns the error for a request whose response has another id. */
    static RpcMessage.ErrorResponse mismatch(String responseId, String requestId) {
        String shown = responseId.length() > 40 ? responseId.substring(0, 40) + "…" : responseId;
        return RpcErrorCode.UNSENDABLE.toResponse(
                requestId,
                "the server answered with the id " + shown + " instead of " + requestId
                        + ". An answer must have the id of its request, with the same type");
    }
}
