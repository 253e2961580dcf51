package dev.gavel.mcp.facade.stateless;

import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Handles {@code tasks/get}, {@code tasks/update} and {@code tasks/cancel}, where each task is a proposal of the
 * caller. Confined to the topic's loop.
 */
final class TaskRequestHandler {
    /** The method of the calls that can be tasks. */
    static final String TASK_METHOD = "tools/call";

    private static final int MAX_ID_LENGTH = 256;

    private final TopicCalls calls;
    private final Optional<Duration> retention;

    TaskRequestHandler(TopicCalls topicCalls, Optional<Duration> retention) {
        this.calls = topicCalls;
        this.retention = retention;
    }

    /** Returns the task for the current state of a proposal. */
    ProposalTask toTask(ProposalView view) {
        return ProposalTask.of(view, calls.now(), retention);
    }

    /** Returns the error response for a client that uses tasks without declaring the extension. */
    static RpcMessage.ErrorResponse missingTasksCapability(String id) {
        return RpcErrorCode.MISSING_CAPABILITY.toResponse(
                id,
                "Missing required client capability: declare the extension " + McpMetaFields.TASKS + " to use tasks.",
                ClientMessageFactory.jsonObject(json -> {
                    json.writeObjectPropertyStart("requiredCapabilities");
                    json.writeObjectPropertyStart("extensions");
                    json.writeObjectPropertyStart(McpMetaFields.TASKS);
                    json.writeEndObject();
                    json.writeEndObject();
                    json.writeEndObject();
                }));
    }

    /** Responds to a call with the task that was created for it. */
    void respondWithTask(FacadeCaller caller, String proposal, InFlightClientRequest clientRequest) {
        // A client that does not receive the id could never poll the task.
        Runnable giveUp = () -> {
            calls.proposalFollowUpSender()
                    .withdrawOrCancel(caller, proposal, CallResponseFactory.REASON_ID_NOT_DELIVERED);
            McpRequestDispatcher.respondError(
                    clientRequest,
                    RpcErrorCode.UNAVAILABLE,
                    "The ledger is unavailable, so the call was withdrawn. Try again later.");
        };
        findProposal(
                caller,
                proposal,
                found -> found.ifPresentOrElse(
                        view -> clientRequest.respond(ClientMessageFactory.result(clientRequest.id(), json -> {
                            json.writeStringProperty("resultType", "task");
                            toTask(view).writeStatus(json);
                        })),
                        giveUp),
                failure -> {
                    calls.log("A task could not be read.", failure);
                    giveUp.run();
                });
    }

    /** Responds with the state of a task, and its result if it has ended. */
    void get(FacadeCaller caller, String params, InFlightClientRequest clientRequest) {
        withTaskId(
                params,
                clientRequest,
                id -> withTask(
                        caller,
                        id,
                        clientRequest,
                        (task, view) ->
                                clientRequest.respond(ClientMessageFactory.result(clientRequest.id(), task::write))));
    }

    /**
     * Acknowledges an update. Gavel never requests input for a task, so the input responses match no request; MCP
     * requires that unknown ones are ignored.
     */
    void update(FacadeCaller caller, String params, InFlightClientRequest clientRequest) {
        withTaskId(
                params,
                clientRequest,
                id -> withTask(caller, id, clientRequest, (task, view) -> acknowledge(clientRequest)));
    }

    /** Withdraws the task's proposal, or cancels its call. */
    void cancel(FacadeCaller caller, String params, InFlightClientRequest clientRequest) {
        withTaskId(
                params,
                clientRequest,
                id -> withTask(caller, id, clientRequest, (task, view) -> {
                    if (task.status() == ProposalTask.Status.WORKING) {
                        calls.proposalFollowUpSender().withdrawOrCancel(caller, id, "the client cancelled the task");
                    }
                    acknowledge(clientRequest);
                }));
    }

    private static void acknowledge(InFlightClientRequest clientRequest) {
        clientRequest.respond(new RpcMessage.ResultResponse(clientRequest.id(), ClientMessageFactory.EMPTY_RESULT));
    }

    private static void withTaskId(String params, InFlightClientRequest clientRequest, Consumer<String> callback) {
        RawJsonEditor.at(params, "taskId")
                .filter(raw -> raw.length() <= MAX_ID_LENGTH)
                .flatMap(Json::parse)
                .flatMap(Json::asText)
                .ifPresentOrElse(
                        callback,
                        () -> McpRequestDispatcher.respondError(
                                clientRequest,
                                RpcErrorCode.INVALID_PARAMS,
                                "'taskId' is missing or invalid. Pass the id of a task."));
    }

    private void withTask(
            FacadeCaller caller,
            String id,
            InFlightClientRequest clientRequest,
            BiConsumer<ProposalTask, ProposalView> callback) {
        findProposal(
                caller,
                id,
                found -> found.ifPresentOrElse(
                        view -> callback.accept(toTask(view), view),
                        () -> McpRequestDispatcher.respondError(
                                clientRequest, RpcErrorCode.INVALID_PARAMS, "You have no task with that id.")),
                failure -> {
                    calls.log("A task could not be read.", failure);
                    McpRequestDispatcher.respondError(
                            clientRequest, RpcErrorCode.INTERNAL, "The ledger is unavailable. Try again later.");
                });
    }

    /** Finds the proposal of one of the caller's own tasks. */
    void findProposal(
            FacadeCaller caller, String id, Consumer<Optional<ProposalView>> callback, Consumer<Throwable> onFailure) {
        calls.proposalQueries()
                .ifPresentOrElse(
                        proposalQueries -> calls.whenCompleteOnLoop(
                                proposalQueries.view(caller.member(), id),
                                found -> callback.accept(found.filter(view -> view.proposer()
                                                .equals(caller.id())
                                        && TASK_METHOD.equals(view.kind().method()))),
                                onFailure),
                        () -> callback.accept(Optional.empty()));
    }
}
