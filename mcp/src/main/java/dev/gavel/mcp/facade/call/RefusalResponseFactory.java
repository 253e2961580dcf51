package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Converts the reasons why the gateway refused an envelope into a JSON-RPC error response and a message for the client.
 * Stateless.
 */
public final class RefusalResponseFactory {
    private RefusalResponseFactory() {}

    /**
     * Creates the response to a call that the gateway refused. A model reads tool results but often no JSON-RPC errors,
     * so a limit of the agent is the result of the tool.
     */
    static RpcMessage toResponse(String id, CallTarget target, List<Failure> failures) {
        EnvelopeErrorCode code = firstCode(failures);
        boolean limit = code == EnvelopeErrorCode.ASK_LIMIT || code == EnvelopeErrorCode.QUOTA_EXCEEDED;
        return limit && target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        ClientMessageFactory.textToolResult(message(failures), true, json -> {
                                    json.writeObjectPropertyStart("_meta");
                                    json.writeStringProperty(GavelMetaFields.ERROR, code.wireName());
                                    writeRetryAfter(json, GavelMetaFields.RETRY_AFTER, failures);
                                    json.writeEndObject();
                                })
                                .raw())
                : toErrorResponse(id, failures);
    }

    private static EnvelopeErrorCode firstCode(List<Failure> failures) {
        return failures.isEmpty()
                ? EnvelopeErrorCode.UNAVAILABLE
                : failures.getFirst().error();
    }

    private static void writeRetryAfter(JsonGenerator json, String name, List<Failure> failures) {
        @Nullable
        Long retryAfter = failures.isEmpty() ? null : failures.getFirst().retryAfterMs();
        if (retryAfter != null) {
            json.writeNumberProperty(name, retryAfter);
        }
    }

    private static RpcMessage toErrorResponse(String id, List<Failure> failures) {
        EnvelopeErrorCode first = firstCode(failures);
        RpcErrorCode error = switch (first) {
            case CAPABILITY_VIOLATION, ACCESS_ENDED, APPROVAL_REQUIRED, DEFINITION_CHANGED -> RpcErrorCode.FORBIDDEN;
            case MALFORMED, TOO_LARGE, KIND_PAYLOAD_MISMATCH, FULFILMENT_MISMATCH, INVALID_ARGUMENTS ->
                RpcErrorCode.INVALID_PARAMS;
            case RATE_LIMITED, ASK_LIMIT, QUOTA_EXCEEDED -> RpcErrorCode.BUSY;
            default -> RpcErrorCode.UNAVAILABLE;
        };
        return error.toResponse(id, message(failures), ClientMessageFactory.jsonObject(json -> {
            json.writeStringProperty("error", first.wireName());
            writeRetryAfter(json, "retryAfterMs", failures);
        }));
    }

    /** Returns the reasons as text. */
    public static String message(List<Failure> failures) {
        return failures.isEmpty()
                ? "The gateway refused the request."
                : failures.stream().map(Failure::message).collect(Collectors.joining(" "));
    }
}
