package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;
import java.util.stream.Collectors;

/** What a client is told where the gateway refused what was sent for it. Stateless. */
public final class Failures {
    private Failures() {}

    public static Message answer(String id, List<Failure> failures) {
        ErrorCode first =
                failures.isEmpty() ? ErrorCode.UNAVAILABLE : failures.getFirst().error();
        RpcError error = switch (first) {
            case CAPABILITY_VIOLATION -> RpcError.FORBIDDEN;
            case MALFORMED, TOO_LARGE, KIND_PAYLOAD_MISMATCH, FULFILMENT_MISMATCH -> RpcError.INVALID_PARAMS;
            case RATE_LIMITED -> RpcError.BUSY;
            default -> RpcError.UNAVAILABLE;
        };
        return error.failure(
                id, words(failures), Answers.object(json -> json.writeStringProperty("error", first.wire())));
    }

    /** Why, in words. */
    public static String words(List<Failure> failures) {
        return failures.isEmpty()
                ? "It could not be sent."
                : failures.stream().map(Failure::message).collect(Collectors.joining(" "));
    }
}
