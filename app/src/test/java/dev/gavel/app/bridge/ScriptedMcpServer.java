package dev.gavel.app.bridge;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An MCP server over standard input and output whose tools misbehave as their names say. */
public final class ScriptedMcpServer {
    private static final BufferedReader IN =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    /** Spaces, a number that no double can hold, an unnecessary escape: a re-encoding would change all of them. */
    static final String UNUSUAL_RESULT = "{ \"content\" : [ {\"type\":\"text\", \"text\":\"\\u0064one\"} ],"
            + " \"_meta\":{\"exact\": 1.10000000000000000000000001, \"e\":1e2},\"newField\":[ ] }";

    private static boolean extraToolListed;

    /** The call that it answers only when the call is cancelled. */
    private static RpcMessage.@Nullable Request unstoppable;

    /** How long it takes to end when it is asked to. */
    private static Duration exitDelay = Duration.ZERO;

    private ScriptedMcpServer() {}

    /** The command line that starts it. */
    static List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ScriptedMcpServer.class.getName()));
        return List.copyOf(command);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        writeLine("this line is no message at all");
        System.err.println("scripted server is here");
        for (String line = IN.readLine(); line != null; line = IN.readLine()) {
            switch (RpcMessage.read(line)) {
                case RpcMessage.Request request -> answer(request);
                case RpcMessage.Notification notification
                when notification.method().equals("notifications/cancelled") -> onCancelled(notification);
                default -> {}
            }
        }
        Thread.sleep(exitDelay);
    }

    private static void onCancelled(RpcMessage.Notification notification) {
        log("cancelled " + notification.params().orElse(""));
        if (unstoppable != null) {
            result(unstoppable, "{\"content\":[{\"type\":\"text\",\"text\":\"ran to the end\"}]}");
            unstoppable = null;
        }
    }

    private static void answer(RpcMessage.Request request) throws IOException {
        switch (request.method()) {
            case "initialize" ->
                result(
                        request,
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true},"
                                + "\"prompts\":{},\"logging\":{}},\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}");
            case "tools/list" -> {
                boolean second = request.params()
                        .flatMap(raw -> RawJsonEditor.at(raw, "cursor"))
                        .isPresent();
                result(
                        request,
                        second
                                ? "{\"tools\":[" + tool("odd") + (extraToolListed ? "," + tool("extra") : "") + "]}"
                                : "{\"tools\":[" + tool("echo") + "],\"nextCursor\":\"page 2\"}");
            }
            case "tools/call" ->
                call(
                        request,
                        RawJsonEditor.at(request.params().orElse("{}"), "name")
                                .flatMap(Json::parse)
                                .map(Json::text)
                                .orElse(""));
            case "ping" -> result(request, "{}");
            default ->
                writeLine("{\"jsonrpc\":\"2.0\",\"id\":" + request.id()
                        + ",\"error\":{\"code\":-32601,\"message\":\"not here\",\"data\":{ \"kept\":1.0 }}}");
        }
    }

    private static String tool(String name) {
        return "{\"name\": \"" + name + "\",\"inputSchema\":{\"type\":\"object\"}, \"odd\":1.0}";
    }

    private static void call(RpcMessage.Request request, String tool) throws IOException {
        String params = request.params().orElse("{}");
        switch (tool) {
            case "odd" -> result(request, UNUSUAL_RESULT);
            case "echo" -> result(request, "{\"content\":[],\"params\":" + params + "}");
            case "noise" -> {
                writeLine("not JSON");
                writeLine("{\"jsonrpc\":\"2.0\"");
                writeLine("[1,2,3]");
                result(request, "{\"content\":[]}");
            }
            case "progress" -> {
                String token =
                        RawJsonEditor.at(params, "_meta", "progressToken").orElse("null");
                for (int step = 1; step <= 2; step++) {
                    writeLine("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\": "
                            + step + ".0,\"progressToken\":" + token + ", \"message\":\"step\"}}");
                }
                result(request, "{\"content\":[]}");
                writeLine("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":3,"
                        + "\"progressToken\":" + token + "}}");
                log("after progress");
            }
            case "never" -> log("never answers");
            case "unstoppable" -> {
                unstoppable = request;
                log("cannot be stopped");
            }
            case "die" -> Runtime.getRuntime().halt(3);
            case "environment" ->
                result(
                        request,
                        "{\"environment\":"
                                + Json.write(json -> {
                                            json.writeStartObject();
                                            System.getenv().forEach(json::writeStringProperty);
                                            json.writeEndObject();
                                        })
                                        .raw()
                                + "}");
            case "sample" -> {
                writeLine("{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"sampling/createMessage\",\"params\":{}}");
                writeLine("{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}");
                String refusal = IN.readLine();
                String pong = IN.readLine();
                result(request, "{\"refusal\":" + refusal + ",\"pong\":" + pong + "}");
            }
            case "more" -> {
                extraToolListed = true;
                writeLine("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
                result(request, "{\"content\":[]}");
            }
            case "linger" -> {
                exitDelay = Duration.ofMillis(1_500);
                result(request, "{\"content\":[]}");
            }
            case "large" -> result(request, "{\"text\":\"" + "x".repeat(2 * 1024 * 1024) + "\"}");
            case "endless" -> result(request, "{\"text\":\"" + "x".repeat(17 * 1024 * 1024) + "\"}");
            case "surrogate" -> result(request, "{\"text\":\"\\ud800\"}");
            case "child" -> {
                Process child = new ProcessBuilder("sleep", "1000").start();
                result(
                        request,
                        "{\"pid\":" + child.pid() + ",\"own\":"
                                + ProcessHandle.current().pid() + "}");
            }
            default -> result(request, "{\"isError\":true}");
        }
    }

    private static void log(String words) {
        writeLine(new RpcMessage.Notification(
                        "notifications/message",
                        Optional.of("{\"level\":\"info\",\"data\":"
                                + Json.ofText(words).raw() + "}"))
                .json());
    }

    private static void result(RpcMessage.Request request, String result) {
        writeLine("{\"result\":" + result + ",\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "}");
    }

    private static void writeLine(String line) {
        System.out.println(line);
    }

    /** The configuration section that bridges it. */
    public static String yaml(String name, Map<String, String> env) {
        StringBuilder text = new StringBuilder("bridges:\n  " + name + ":\n    topic: ops\n    command: [");
        command()
                .forEach(word ->
                        text.append('"').append(word.replace("\"", "\\\"")).append("\", "));
        text.append("]\n    env:\n      SCRIPTED: \"1\"\n");
        env.forEach((key, value) ->
                text.append("      ").append(key).append(": \"").append(value).append("\"\n"));
        return text.toString();
    }
}
