package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Creates the responses and texts that tell a caller the state or result of a proposed call. Stateless. */
public final class CallResponseFactory {
    /** The reason for withdrawing a proposal whose proposer never received its id. */
    public static final String REASON_ID_NOT_DELIVERED = "the client disconnected before it received the proposal's id";

    /** The status of a call if the process ends before the status could be read. */
    static final String STATUS_STOPPING = "the gateway is shutting down";

    /** The reason for giving up a call after a disconnect. */
    public static final String REASON_CONNECTION_LOST = "the client lost its connection";

    /** The message for a client that reconnects too late to a call that the server was running. */
    public static final String CANCELLED_WHILE_AWAY =
            "No result: your connection was lost for too long, so the call was cancelled. It is not known whether the"
                    + " call ran. Check before you call it again.";

    /** The message for a client that reconnects too late. */
    static final String RECONNECTED_TOO_LATE =
            "Not run: your connection was lost for too long, so the call was cancelled. Call again if you still need"
                    + " it.";

    /** The instructions for a client's model. */
    public static final String INSTRUCTIONS =
            "Some tools in this topic need a reviewer's approval. Call them as usual. Gavel proposes the call and"
                    + " returns its result after a reviewer has approved it. If the answer starts with \"Pending\","
                    + " there is no result yet. Continue with other work, check the proposal with gavel_status, and"
                    + " call the tool again with the same arguments to get the result. If the answer says that the call"
                    + " was rejected, read the reason and do not retry the same call.";

    private CallResponseFactory() {}

    /**
     * Creates the response to a client if the gateway has failed.
     *
     * @param errorId the id in the log entry about the failure
     */
    static RpcMessage.ErrorResponse internalError(String id, String errorId) {
        return RpcErrorCode.INTERNAL.toResponse(
                id,
                "Internal error " + errorId
                        + " in the gateway. Ask an admin to look for this id in the gateway's log.");
    }

    /** Creates the response to a waiting client whose token or membership has ended. */
    public static RpcMessage accessEnded(String id, String reason) {
        return RpcErrorCode.FORBIDDEN.toResponse(
                id,
                "The request was cancelled: " + reason
                        + ". A call that is already running still finishes. If your access to the topic has ended, a call"
                        + " that waits for approval is withdrawn. If you have another valid token, call again with it"
                        + " to resume the call.");
    }

    /** Creates the response to an approved and running call when the process ends at which the client waits. */
    static RpcMessage interruptedByShutdown(String id, CallTarget target, String proposal) {
        return result(
                id,
                target,
                proposal,
                new CallResult.NotCompleted(
                        "fulfilled",
                        target.displayName() + " was approved and was running when the gateway shut down. Before you"
                                + " call it again, check its result: call gavel_status with {\"proposal\": \""
                                + proposal
                                + "\"}."));
    }

    /** Creates the response to a call that needed no approval when the process ends. */
    static RpcMessage unansweredAtShutdown(String id, CallTarget target, String runner) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway shut down before " + runner + " answered. It is not known whether " + target.displayName()
                        + " ran. Check before you call it again.");
    }

    /** Creates the response to a call that was being proposed when the process ends. */
    static RpcMessage notProposedAtShutdown(String id, CallTarget target) {
        return RpcErrorCode.UNAVAILABLE.toResponse(
                id,
                "The gateway shut down before it could confirm the proposal. " + target.displayName()
                        + " has not run. Call it again.");
    }

    /** Creates the response to a call that is not done yet when the client's waiting time is over. */
    static RpcMessage pending(String id, CallTarget target, String proposal, String status, boolean approved) {
        return pending(
                id,
                target,
                proposal,
                target.displayName()
                        + (approved
                                ? " was approved and has not returned a result yet. Status: "
                                : " needs approval and has not run yet. Status: ")
                        + status + ".");
    }

    /** Creates the response to a call whose result cannot be delivered, because the ledger cannot record that. */
    static RpcMessage pendingWithoutLedger(String id, CallTarget target, String proposal) {
        return pending(
                id,
                target,
                proposal,
                "the proposal for " + target.displayName()
                        + " is closed, but its result cannot be delivered now because the ledger is unavailable.");
    }

    private static RpcMessage pending(String id, CallTarget target, String proposal, String statusText) {
        String text = "Pending: " + statusText + " To check the status, call gavel_status with {\"proposal\": \""
                + proposal + "\"}. To get the result, call " + target.displayName()
                + " again with the same arguments. This resumes the proposal and does not create a second one.";
        return target.method().equals("tools/call")
                ? new RpcMessage.ResultResponse(
                        id,
                        ClientMessageFactory.textToolResult(text, false, meta(proposal, "pending"))
                                .raw())
                : RpcErrorCode.PENDING.toResponse(id, text, data(proposal, "pending"));
    }

    /** Creates the response with the result of a call. */
    public static RpcMessage result(String id, CallTarget target, String proposal, CallResult callResult) {
        return switch (callResult) {
            case CallResult.Completed(Json received, boolean approved, Optional<EditedCallNotice> editedCallNotice) -> {
                Json response = ParticipantResponseFilter.filter(received, approved);
                Json error = response.at("error");
                Json result = response.at("result");
                yield error.isPresent()
                        ? errorResponse(id, error, editedCallNotice)
                        : switch (result.type()) {
                            case OBJECT, MISSING ->
                                new RpcMessage.ResultResponse(
                                        id,
                                        editedCallNotice
                                                .map(notice -> notice.addTo(
                                                        result.isPresent() ? result : Json.object(), target.method()))
                                                .map(Json::raw)
                                                .orElseGet(() -> result.isPresent()
                                                        ? result.raw()
                                                        : ClientMessageFactory.EMPTY_RESULT));
                            default ->
                                errorResponse(
                                        id,
                                        Json.parse(RpcErrorCode.INTERNAL
                                                        .toResponse(
                                                                id,
                                                                "The participant that ran " + target.displayName()
                                                                        + " returned an invalid MCP result: it is not a"
                                                                        + " JSON object.")
                                                        .error())
                                                .orElseThrow(),
                                        editedCallNotice);
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

    private static RpcMessage errorResponse(String id, Json error, Optional<EditedCallNotice> editedCallNotice) {
        return new RpcMessage.ErrorResponse(
                id,
                editedCallNotice
                        .map(notice -> notice.addToError(error))
                        .orElse(error)
                        .raw());
    }

    private static Consumer<JsonGenerator> meta(String proposal, String state) {
        return json -> {
            json.writeObjectPropertyStart("_meta");
            json.writeStringProperty(GavelMetaFields.PROPOSAL, proposal);
            json.writeStringProperty(GavelMetaFields.STATE, state);
            json.writeEndObject();
        };
    }

    private static Json data(String proposal, String state) {
        return ClientMessageFactory.jsonObject(json -> {
            json.writeStringProperty("proposal", proposal);
            json.writeStringProperty("state", state);
            json.writeStringProperty(GavelMetaFields.PROPOSAL, proposal);
            json.writeStringProperty(GavelMetaFields.STATE, state);
        });
    }
}
