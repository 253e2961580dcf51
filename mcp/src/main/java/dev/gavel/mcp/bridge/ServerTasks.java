package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Runs tool calls as tasks of an MCP 2025-11-25 server, for tools that cannot be called otherwise: starts the task,
 * fetches its result, and cancels it. No method blocks. Thread-safe.
 */
final class ServerTasks {
    /** How long the server should keep the task. It equals the time after which the bridge stops waiting. */
    private static final String TASK = "{\"ttl\":3600000}";

    private final McpClientSession session;

    /** The ids of the running tasks, as raw JSON, by the id of the request that started each. */
    private final Map<String, String> taskIds = new ConcurrentHashMap<>();

    /** The ids of the requests that started a task, by the id of the request for the task's result. */
    private final Map<String, String> startersByFetch = new ConcurrentHashMap<>();

    ServerTasks(McpClientSession session) {
        this.session = session;
    }

    /** Whether the server can run tool calls as tasks. */
    static boolean areSupportedBy(McpClientSession session) {
        return !session.isStateless()
                && session.serverDescription()
                        .at("capabilities")
                        .at("tasks")
                        .at("requests")
                        .at("tools")
                        .at("call")
                        .isPresent();
    }

    /** Whether a tool of the server's list can be called only as a task. */
    static boolean isRequiredBy(Json tool) {
        return tool.at("execution").at("taskSupport").text().equals("required");
    }

    /** Returns the parameters of a call that starts a task. */
    static String withTask(String params) {
        return RawJsonEditor.with(params, TASK, "task");
    }

    /**
     * Handles the server's response to a call that starts a task: fetches the result, which the server sends when the
     * task has ended. Passes on a response without a task.
     *
     * @param id the id of the request
     * @param callback receives the result or an error
     */
    void onStarted(String id, RpcMessage.Response response, Consumer<RpcMessage.Response> callback) {
        Optional<String> taskId = response instanceof RpcMessage.ResultResponse(String _, String result)
                ? RawJsonEditor.at(result, "task", "taskId").filter(raw -> raw.startsWith("\""))
                : Optional.empty();
        if (taskId.isEmpty()) {
            callback.accept(response);
            return;
        }
        taskIds.put(id, taskId.get());
        String fetchId = session.nextId();
        startersByFetch.put(fetchId, id);
        session.sendRequest(fetchId, "tasks/result", params(taskId.get()), result -> {
            startersByFetch.remove(fetchId);
            taskIds.remove(id);
            callback.accept(result);
        });
    }

    /** Returns the id of the request that started the task whose result is fetched by a request; else the id itself. */
    String starterOf(String requestId) {
        return startersByFetch.getOrDefault(requestId, requestId);
    }

    /** Cancels the task that a request started. Returns false if it started none, or if the task has ended. */
    boolean cancel(String id) {
        String taskId = taskIds.get(id);
        if (taskId == null) {
            return false;
        }
        // The server responds to tasks/result, too, so this response is of no use.
        session.sendRequest(session.nextId(), "tasks/cancel", params(taskId), _ -> {});
        return true;
    }

    private static Optional<String> params(String taskId) {
        return Optional.of("{\"taskId\":" + taskId + "}");
    }
}
