package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Creates the responses and texts that tell a caller the state or result of a proposed call. Stateless. */
public final class CallResponseFactory {
    /** The reason for withdrawing a proposal whose proposer never received its id. */
    public static final String REASON_ID_NOT_DELIVERED = "the caller had gone before it was told the proposal's id";

    /** The message for a client if the gateway has failed. */
    public static final String INTERNAL_ERROR = "Something went wrong here; the log says what.";

    /** The status of a call if the process ends before the status could be read. */
    static final String STATUS_STOPPING = "the gateway is stopping";

    /** The status of a call whose result cannot be delivered because the ledger cannot record the delivery. */
    static final String STATUS_LEDGER_UNAVAILABLE = "it has come to an end, but the ledger cannot be written to now";

    /** The reason for giving up a call after a disconnect. */
    static final String REASON_CONNECTION_LOST = "the caller's connection was lost";

    /** The message for a client that reconnects too late. */
    static final String RECONNECTED_TOO_LATE =
            "Given up: your connection was lost for too long. Call again if you still want it.";

    /** The instructions for a client's model. */
    public static final String INSTRUCTIONS =
            "Some tools here need somebody's approval. Call them as usual: the call is then proposed, and its result comes"
                    + " when a person has approved it. If the answer says that the call is pending, it has not been"
                    + " done yet: do something else, look with gavel_status, and call again with the same arguments to"
                    + " get the result. If it says that the call was rejected, read the reason before you try anything"
                    + " else.";

    private CallResponseFactory() {}

    /** Creates the response to an approved and running call when the process ends at which the client waits. */
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

    /** Creates the response to a call that needed no approval when the process ends. */
    static RpcMessage unansweredAtShutdown(String id, CallTarget target, String runner) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway stopped before " + runner + " answered; whether " + target.displayName()
                        + " was done is unknown.");
    }

    /** Creates the response to a call that was being proposed when the process ends. */
    static RpcMessage notProposedAtShutdown(String id, CallTarget target) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway stopped before it was known that " + target.displayName()
                        + " is proposed. It has not been done; call it again.");
    }

    /** Creates the response to a call that is not done yet when the client's waiting time is over. */
    static RpcMessage pending(String id, CallTarget target, String proposal, String status, boolean approved) {
        String text = "Pending: " + target.displayName()
                + (approved
                        ? " was approved, and has not answered yet: "
                        : " has not been done yet, it needs approval: ")
                + status + ". To look, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. To get the result, call " + target.displayName()
                + " again with the same arguments: that takes up this proposal and makes no second one.";
        return target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        ClientMessageFactory.textToolResult(text, false, meta(proposal, "pending"))
                                .raw())
                : RpcErrorCode.PENDING.toResponse(id, text, data(proposal, "pending"));
    }

    /** Creates the response to a call whose result another process delivered to another call of the same client. */
    static RpcMessage deliveredElsewhere(String id, CallTarget target, String proposal) {
        String text = "Another call of yours was given the result of " + target.displayName()
                + ". To look at it, call gavel_status with {\"proposal\": \"" + proposal
                + "\"}. Calling it again would propose it anew.";
        return target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        ClientMessageFactory.textToolResult(text, false, meta(proposal, "forwarded"))
                                .raw())
                : RpcErrorCode.NOT_DONE.toResponse(id, text, data(proposal, "forwarded"));
    }

    /** Creates the response with the result of a call. */
    public static RpcMessage result(String id, CallTarget target, String proposal, CallResult callResult) {
        return switch (callResult) {
            case CallResult.Completed(Json response) -> {
                Json error = response.at("error");
                Json result = response.at("result");
                yield error.isPresent()
                        ? new RpcMessage.ErrorResponse(id, error.raw())
                        : switch (result.type()) {
                            case OBJECT -> new RpcMessage.ResultResponse(id, result.raw());
                            case MISSING -> new RpcMessage.ResultResponse(id, ClientMessageFactory.EMPTY_RESULT);
                            default ->
                                RpcErrorCode.INTERNAL.toResponse(
                                        id,
                                        "Whoever runs " + target.displayName()
                                                + " answered with something that is no result of MCP.");
                        };
            }
            case CallResult.NotCompleted(String state, String text) ->
                target.method().equals("tools/call")
                        ? new RpcMessage.ResultResponse(
                                id,
                                ClientMessageFactory.textToolResult(text, true, meta(proposal, state))
                                        .raw())
                        : RpcErrorCode.NOT_DONE.toResponse(id, text, data(proposal, state));
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
        return ClientMessageFactory.jsonObject(json -> {
            json.writeStringProperty("proposal", proposal);
            json.writeStringProperty("state", state);
        });
    }
}
