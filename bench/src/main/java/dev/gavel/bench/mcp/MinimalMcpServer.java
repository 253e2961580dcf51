package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Program that serves one MCP tool for benchmarks over stdio or HTTP; in relay mode it passes HTTP calls to a second
 * such server. The tool's result is the number of nanoseconds that the server spent on the call. Messages are not
 * parsed, only searched for the fields that the benchmark uses. As a relay it passes calls on to another such server
 * over a pipe, the minimum that any program between a client and a server does. Usage: {@code MinimalMcpServer
 * stdio|http|relay TOOL}
 */
final class MinimalMcpServer {
    private static final String NOTHING = "";

    private final String tool;
    private final @Nullable BenchStdioMcpClient nextServer;

    private MinimalMcpServer(String tool, @Nullable BenchStdioMcpClient behind) {
        this.tool = tool;
        this.nextServer = behind;
    }

    public static void main(String[] args) throws IOException {
        String tool = args[1];
        switch (args[0]) {
            case "http" -> new MinimalMcpServer(tool, null).serveHttp();
            case "relay" ->
                new MinimalMcpServer(tool, BenchStdioMcpClient.start(McpBenchEnvironment.serverCommand("stdio", tool)))
                        .serveHttp();
            default -> new MinimalMcpServer(tool, null).serveStdio();
        }
    }

    private void serveStdio() throws IOException {
        try (BufferedReader in =
                        new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
                OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = respond(line, System.nanoTime());
                if (!answer.isEmpty()) {
                    out.write((answer + "\n").getBytes(UTF_8));
                }
            }
        }
    }

    private void serveHttp() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println("listening on http://127.0.0.1:" + socket.getLocalPort());
            while (true) {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> serveConnection(client));
            }
        }
    }

    private void serveConnection(Socket client) {
        try (client;
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream()) {
            for (String head = RawHttpParser.readHead(in); !head.isEmpty(); head = RawHttpParser.readHead(in)) {
                String body = new String(in.readNBytes(RawHttpParser.intHeader(head, "content-length")), UTF_8);
                long start = System.nanoTime();
                boolean post = head.toUpperCase(Locale.ROOT).startsWith("POST ");
                String answer =
                        !post ? NOTHING : nextServer == null ? respond(body, start) : relay(nextServer, body, start);
                byte[] bytes = answer.getBytes(UTF_8);
                String status = !post ? "405 Method Not Allowed" : bytes.length == 0 ? "202 Accepted" : "200 OK";
                byte[] first = ("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: "
                                + bytes.length + "\r\n\r\n")
                        .getBytes(ISO_8859_1);
                byte[] whole = new byte[first.length + bytes.length];
                System.arraycopy(first, 0, whole, 0, first.length);
                System.arraycopy(bytes, 0, whole, first.length, bytes.length);
                out.write(whole);
            }
        } catch (IOException _) {
            // The client has disconnected.
        }
    }

    private String relay(BenchStdioMcpClient server, String message, long start) throws IOException {
        return BenchRpcMessages.textField(message, "method").equals("tools/call")
                ? server.request(message)
                : respond(message, start);
    }

    private String respond(String message, long start) {
        String id = BenchRpcMessages.id(message);
        if (id.isEmpty()) {
            return NOTHING;
        }
        return switch (BenchRpcMessages.textField(message, "method")) {
            case "tools/call" ->
                BenchRpcMessages.result(
                        id,
                        "{\"content\":[{\"type\":\"text\",\"text\":\"" + (System.nanoTime() - start)
                                + "\"}],\"isError\":false}");
            case "initialize" ->
                BenchRpcMessages.result(
                        id,
                        "{\"protocolVersion\":\"" + BenchRpcMessages.textField(message, "protocolVersion")
                                + "\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"tiny\",\"version\":\"1\"}}");
            case "tools/list" ->
                BenchRpcMessages.result(
                        id, "{\"tools\":[{\"name\":\"" + tool + "\",\"inputSchema\":{\"type\":\"object\"}}]}");
            case "ping" -> BenchRpcMessages.result(id, "{}");
            default ->
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"unknown method\"}}";
        };
    }
}
