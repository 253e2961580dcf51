package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Creates the responses and texts that tell a caller the state or result of a proposed call. Stateless. */
public final class CallResponseFactory {
    /** Why a proposal is withdrawn that its proposer could never ask for. */
    public static final String REASON_ID_NOT_DELIVERED = "the caller had gone before it was told the proposal's id";

    /** What a client is told where it is our fault. */
    public static final String INTERNAL_ERROR = "Something went wrong here; the log says what.";

    /** How a call stands where the process ends before that could be read. */
    static final String STATUS_STOPPING = "the gateway is stopping";

    /** How a call stands whose end cannot be handed out, since that could not be kept. */
    static final String STATUS_LEDGER_UNAVAILABLE = "it has come to an end, but the ledger cannot be written to now";

    /** Why nobody waits for a call any more. */
    static final String REASON_CONNECTION_LOST = "the caller's connection was lost";

    /** What a client is told that came back too late. */
    static final String RECONNECTED_TOO_LATE =
            "Given up: your connection was lost for too long. Call again if you still want it.";

    /** What a client's model is told of the whole. */
    public static final String INSTRUCTIONS =
            "Some tools here need somebody's approval. Call them as usual: the call is then proposed, and its result comes"
                    + " when a person has approved it. If the answer says that the call is pending, it has not been"
                    + " done yet: do something else, look with gavel_status, and call again with the same arguments to"
                    + " get the result. If it says that the call was rejected, read the reason before you try anything"
                    + " else.";

    private CallResponseFactory() {}

    /** What a client is told whose call was approved, and runs, when the process ends that it waits at. */
    static RpcMessage interruptedByShutdown(String id, CallTarget target, String proposal) {
        return result(
                id,
                target,
                proposal,
                new CallResult.NotCompleted(
                        "fulfilled",
                        "Approved, and under way; but the gateway stopped before the answer came. See how it came out"
                                + " before you call it again: call gavel_status with {\"proposal\": \"" + proposal
                                + "\"}."));
    }

    /** The same of a call that needed no approval. */
    static RpcMessage unansweredAtShutdown(String id, CallTarget target, String runner) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway stopped before " + runner + " answered; whether " + target.displayName()
                        + " was done is unknown.");
    }

    /** The same of a call that was to be proposed. */
    static RpcMessage notProposedAtShutdown(String id, CallTarget target) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway stopped before it was known that " + target.displayName()
                        + " is proposed. It has not been done; call it again.");
    }

    /** It is not done yet, and the client waits no longer. */
    static RpcMessage pending(String id, CallTarget target, String proposal, String status, boolean approved) {
        String words = "Pending: " + target.displayName()
                + (approved
                        ? " was approved, and has not answered yet: "
                        : " has not been done yet, it needs approval: ")
                + status + ". To look, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. To get the result, call " + target.displayName()
                + " again with the same arguments: that takes up this proposal and makes no second one.";
        return target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        McpMessageFactory.textToolResult(words, false, meta(proposal, "pending"))
                                .raw())
                : RpcErrorCode.PENDING.toResponse(id, words, data(proposal, "pending"));
    }

    /** It is over, and the client waited for it at one process while another call of theirs was given it elsewhere. */
    static RpcMessage deliveredElsewhere(String id, CallTarget target, String proposal) {
        String words = "Another call of yours was given the result of " + target.displayName()
                + ". To look at it, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. Calling it again would propose it anew.";
        return target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        McpMessageFactory.textToolResult(words, false, meta(proposal, "forwarded"))
                                .raw())
                : RpcErrorCode.NOT_DONE.toResponse(id, words, data(proposal, "forwarded"));
    }

    /** How it came out. */
    public static RpcMessage result(String id, CallTarget target, String proposal, CallResult callResult) {
        return switch (callResult) {
            case CallResult.Completed(Json response) -> {
                Json error = response.at("error");
                Json result = response.at("result");
                yield error.isPresent()
                        ? new RpcMessage.ErrorResponse(id, error.raw())
                        : switch (result.type()) {
                            case OBJECT -> new RpcMessage.ResultResponse(id, result.raw());
                            case MISSING -> new RpcMessage.ResultResponse(id, McpMessageFactory.EMPTY_RESULT);
                            default ->
                                RpcErrorCode.INTERNAL.toResponse(
                                        id,
                                        "Whoever runs " + target.displayName()
                                                + " answered with something that is no result of MCP.");
                        };
            }
            case CallResult.NotCompleted(String state, String words) ->
                target.method().equals("tools/call")
                        ? new RpcMessage.ResultResponse(
                                id,
                                McpMessageFactory.textToolResult(words, true, meta(proposal, state))
                                        .raw())
                        : RpcErrorCode.NOT_DONE.toResponse(id, words, data(proposal, state));
        };
    }

    private static Consumer<JsonGenerator> meta(String proposal, String state) {
        return json -> {
            json.writeObjectPropertyStart("_meta");
            json.writeStringProperty("dev.gavel/proposal", proposal);
            json.writeStringProperty("dev.gavel/state", state);
            json.writeEndObject();
        };
    }

    private static Json data(String proposal, String state) {
        return McpMessageFactory.jsonObject(json -> {
            json.writeStringProperty("proposal", proposal);
            json.writeStringProperty("state", state);
        });
    }
}
