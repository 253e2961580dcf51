package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts the reasons why the gateway refused an envelope into a JSON-RPC error response and a message for the client.
 * Stateless.
 */
public final class RefusalResponseFactory {
    private RefusalResponseFactory() {}

    public static RpcMessage toErrorResponse(String id, List<Failure> failures) {
        EnvelopeErrorCode first = failures.isEmpty()
                ? EnvelopeErrorCode.UNAVAILABLE
                : failures.getFirst().error();
        RpcErrorCode error = switch (first) {
            case CAPABILITY_VIOLATION -> RpcErrorCode.FORBIDDEN;
            case MALFORMED, TOO_LARGE, KIND_PAYLOAD_MISMATCH, FULFILMENT_MISMATCH -> RpcErrorCode.INVALID_PARAMS;
            case RATE_LIMITED -> RpcErrorCode.BUSY;
            default -> RpcErrorCode.UNAVAILABLE;
        };
        return error.toResponse(
                id,
                message(failures),
                ClientMessageFactory.jsonObject(json -> json.writeStringProperty("error", first.wireName())));
    }

    /** Returns the reasons as text. */
    public static String message(List<Failure> failures) {
        return failures.isEmpty()
                ? "The gateway refused the request."
                : failures.stream().map(Failure::message).collect(Collectors.joining(" "));
    }
}
