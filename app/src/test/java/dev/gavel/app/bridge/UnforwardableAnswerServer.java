package dev.gavel.app.bridge;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An MCP server whose answers a bridge cannot forward, because they are nested too deeply, not UTF-8, too large, or have
 * an id of another type. It also has a tool that returns a large image. Runs over standard input and output, or over
 * HTTP.
 */
public final class UnforwardableAnswerServer implements AutoCloseable {
    /** The length of the image's data, in characters. */
    public static final int IMAGE_LENGTH = 5 * 1024 * 1024;

    /** Instead of the length of a description: the list of tools is nested too deeply. */
    public static final int UNREADABLE_LIST = -1;

    private static final int HUGE_LENGTH = 7 * 1024 * 1024;

    private static final String DEEP_RESULT = "{\"content\":[],\"deep\":" + "[".repeat(200) + "]".repeat(200) + "}";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final boolean events;

    /**
     * Starts the server over HTTP.
     *
     * @param events whether it answers with event streams, or with plain JSON
     */
    public UnforwardableAnswerServer(boolean events) throws IOException {
        this.events = events;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
    }

    /**
     * The command line that starts the server over standard input and output.
     *
     * @param descriptionLength the length of a tool's description, or {@link #UNREADABLE_LIST}
     */
    public static List<String> command(int descriptionLength) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                UnforwardableAnswerServer.class.getName(),
                Integer.toString(descriptionLength));
    }

    public static void main(String[] arguments) throws IOException {
        int descriptionLength = Integer.parseInt(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (RpcMessage.read(line) instanceof RpcMessage.Request request) {
                System.out.write(answer(request, descriptionLength));
                System.out.write('\n');
                System.out.flush();
            }
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (RpcMessage.read(body) instanceof RpcMessage.Request request) {
                byte[] answer = answer(request, 10);
                exchange.getResponseHeaders().set("Content-Type", events ? "text/event-stream" : "application/json");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(events ? "data: ".getBytes(StandardCharsets.UTF_8) : new byte[0]);
                exchange.getResponseBody().write(answer);
                exchange.getResponseBody().write("\n\n".getBytes(StandardCharsets.UTF_8));
            } else {
                exchange.sendResponseHeaders(202, -1);
            }
        }
    }

    private static byte[] answer(RpcMessage.Request request, int descriptionLength) throws IOException {
        String tool = RawJsonEditor.at(request.params().orElse("{}"), "name")
                .flatMap(Json::parse)
                .map(Json::text)
                .orElse("");
        return switch (request.method()) {
            case "initialize" ->
                result(
                        request.id(),
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"unforwardable\",\"version\":\"1\"}}");
            case "tools/list" ->
                result(
                        request.id(),
                        descriptionLength == UNREADABLE_LIST
                                ? DEEP_RESULT
                                : "{\"tools\":[" + tool("deep", 10) + "," + tool("encoding", 10) + ","
                                        + tool("typed", 10) + "," + tool("huge", 10) + ","
                                        + tool("image", descriptionLength) + "]}");
            case "tools/call" -> call(request.id(), tool);
            default ->
                ("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}")
                        .getBytes(StandardCharsets.UTF_8);
        };
    }

    private static String tool(String name, int descriptionLength) {
        return "{\"name\":\"" + name + "\",\"description\":\"" + "d".repeat(descriptionLength)
                + "\",\"inputSchema\":{\"type\":\"object\"}}";
    }

    private static byte[] call(String id, String tool) throws IOException {
        return switch (tool) {
            case "deep" -> result(id, DEEP_RESULT);
            case "encoding" -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.writeBytes(result(id, "{\"content\":[{\"type\":\"text\",\"text\":\"caf@\"}]}"));
                byte[] latin1 = bytes.toByteArray();
                for (int index = 0; index < latin1.length; index++) {
                    latin1[index] = latin1[index] == '@' ? (byte) 0xE9 : latin1[index];
                }
                yield latin1;
            }
            case "typed" -> result("\"" + id + "\"", "{\"content\":[]}");
            // The id is the last member, after everything that a reader retains of the line.
            case "huge" ->
                ("{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[],\"id\":\"x\",\"data\":\"" + "h".repeat(HUGE_LENGTH)
                                + "\"},\"id\":" + id + ",\"padding\":\"" + "p".repeat(2000) + "\"}")
                        .getBytes(StandardCharsets.UTF_8);
            default ->
                result(
                        id,
                        "{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\""
                                + "A".repeat(IMAGE_LENGTH) + "\"}]}");
        };
    }

    private static byte[] result(String id, String result) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
