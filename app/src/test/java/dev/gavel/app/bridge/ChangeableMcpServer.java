package dev.gavel.app.bridge;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An MCP server over standard input and output that reads its tools from a file whenever it lists them. A call of the
 * tool {@code announce} makes it report that they changed. With the argument {@code hang}, it does not answer requests
 * for the list any more.
 */
public final class ChangeableMcpServer {
    private ChangeableMcpServer() {}

    /**
     * The command line that starts it, as a YAML list.
     *
     * @param tools the file with the JSON array of its tools
     * @param announces whether it declares that it reports changes
     */
    public static String command(Path tools, boolean announces) {
        return List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ChangeableMcpServer.class.getName(),
                        tools.toString(),
                        String.valueOf(announces))
                .stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    public static void main(String[] arguments) throws IOException {
        boolean hangs = false;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (RpcMessage.read(line) instanceof RpcMessage.Request request) {
                switch (request.method()) {
                    case "initialize" ->
                        result(
                                request,
                                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":"
                                        + arguments[1]
                                        + "}},\"serverInfo\":{\"name\":\"changeable\",\"version\":\"1\"}}");
                    case "tools/list" -> {
                        if (!hangs) {
                            result(request, "{\"tools\":" + Files.readString(Path.of(arguments[0])) + "}");
                        }
                    }
                    case "tools/call" -> {
                        if (request.params().orElse("").contains("\"announce\"")) {
                            hangs = request.params().orElse("").contains("\"hang\"");
                            write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
                        }
                        result(request, "{\"content\":[{\"type\":\"text\",\"text\":\"ran\"}]}");
                    }
                    default -> result(request, "{}");
                }
            }
        }
    }

    private static void result(RpcMessage.Request request, String result) {
        write("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + result + "}");
    }

    private static void write(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
