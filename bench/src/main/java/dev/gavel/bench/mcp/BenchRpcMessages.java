package dev.gavel.bench.mcp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds the JSON-RPC messages of the MCP benchmark and finds fields in the responses by text search. Stateless. */
final class BenchRpcMessages {
    /** The last version with sessions, and the first without. */
    static final String SESSION_VERSION = "2025-11-25";

    static final String STATELESS_VERSION = "2026-07-28";

    static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"" + SESSION_VERSION + "\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";

    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    private static final Pattern ID = Pattern.compile("\"id\":\\s*(\\d+|\"[^\"]*\")");

    /** As long as the arguments of a short real call. */
    private static final String ARGUMENTS = "{\"path\":\"/srv/notes/2026/plan.md\",\"text\":\""
            + "a line of text that says something; ".repeat(5) + "\"}";

    private BenchRpcMessages() {}

    /** A call whose response is sent when it is complete. */
    static String call(long id, String tool) {
        return call(id, tool, "");
    }

    /** A call whose client requests progress notifications, and so waits without a time limit. */
    static String callWithProgress(long id, String tool) {
        return call(id, tool, ",\"_meta\":{\"progressToken\":\"t" + id + "\"}");
    }

    /** As {@link #callWithProgress}, in the version without sessions. */
    static String statelessCall(long id, String tool) {
        return call(id, tool, ",\"_meta\":{\"progressToken\":\"t" + id + "\"," + meta("{}") + "}");
    }

    /** A call whose client accepts a task if the call must wait. */
    static String taskCall(long id, String tool) {
        return call(id, tool, ",\"_meta\":{" + meta(TASKS) + "}");
    }

    /** A query for the state of a task. */
    static String taskGet(long id, String task) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" + task
                + "\",\"_meta\":{" + meta(TASKS) + "}}}";
    }

    private static String meta(String capabilities) {
        return "\"io.modelcontextprotocol/protocolVersion\":\"" + STATELESS_VERSION
                + "\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":" + capabilities;
    }

    private static String call(long id, String tool, String extraFields) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":"
                + params(tool, extraFields) + "}";
    }

    private static String params(String tool, String extraFields) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + ARGUMENTS + extraFields + "}";
    }

    /** The envelope with which a reviewer approves a tool call. */
    static String approval(String proposal, String tool, String runner) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"f-" + proposal + "\",\"to\":[\"" + runner
                + "\"],\"correlationId\":\"" + proposal + "\",\"kind\":\"mcp.request.tools/call:" + tool
                + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                + params(tool, "")
                + "}}";
    }

    static String result(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    /** The id of a message, as written; empty if it has none. */
    static String id(String message) {
        Matcher matcher = ID.matcher(message);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** The value of the first text field with a name; empty if there is none. */
    static String textField(String message, String name) {
        String start = "\"" + name + "\":\"";
        int at = message.indexOf(start);
        return at < 0 ? "" : message.substring(at + start.length(), message.indexOf('"', at + start.length()));
    }

    /** Whether a message is the response to a completed call of the {@link MinimalMcpServer}'s tool. */
    static boolean isSuccessfulResult(String message) {
        return message.contains("\"result\":") && message.contains("\"isError\":false");
    }
}
