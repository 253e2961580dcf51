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
 * An MCP server with one tool that answers at once, over standard input and output or over Streamable HTTP: about the least
 * there can be. What the tool says is how many nanoseconds the server spent on it. Messages are not parsed, only looked
 * through for what those of a benchmark have. As a relay it hands calls on to another of its kind, over a pipe: the least
 * that anything between a client and a server can do. {@code TinyServer stdio|http|relay TOOL}
 */
final class TinyServer {
    private static final String NOTHING = "";

    private final String tool;
    private final @Nullable PipeCaller behind;

    private TinyServer(String tool, @Nullable PipeCaller behind) {
        this.tool = tool;
        this.behind = behind;
    }

    public static void main(String[] args) throws IOException {
        String tool = args[1];
        switch (args[0]) {
            case "http" -> new TinyServer(tool, null).listen();
            case "relay" -> new TinyServer(tool, PipeCaller.start(Stage.tiny("stdio", tool))).listen();
            default -> new TinyServer(tool, null).converse();
        }
    }

    private void converse() throws IOException {
        try (BufferedReader in =
                        new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8));
                OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = answer(line, System.nanoTime());
                if (!answer.isEmpty()) {
                    out.write((answer + "\n").getBytes(UTF_8));
                }
            }
        }
    }

    private void listen() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println("listening on http://127.0.0.1:" + socket.getLocalPort());
            while (true) {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> serve(client));
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream()) {
            for (String head = Http.head(in); !head.isEmpty(); head = Http.head(in)) {
                String body = new String(in.readNBytes(Http.number(head, "content-length")), UTF_8);
                long start = System.nanoTime();
                boolean post = head.toUpperCase(Locale.ROOT).startsWith("POST ");
                String answer = !post ? NOTHING : behind == null ? answer(body, start) : passedOn(behind, body, start);
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
            // Whoever asked has gone.
        }
    }

    private String passedOn(PipeCaller server, String message, long start) throws IOException {
        return Rpc.text(message, "method").equals("tools/call") ? server.ask(message) : answer(message, start);
    }

    private String answer(String message, long start) {
        String id = Rpc.id(message);
        if (id.isEmpty()) {
            return NOTHING;
        }
        return switch (Rpc.text(message, "method")) {
            case "tools/call" ->
                Rpc.result(
                        id,
                        "{\"content\":[{\"type\":\"text\",\"text\":\"" + (System.nanoTime() - start)
                                + "\"}],\"isError\":false}");
            case "initialize" ->
                Rpc.result(
                        id,
                        "{\"protocolVersion\":\"" + Rpc.text(message, "protocolVersion")
                                + "\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"tiny\",\"version\":\"1\"}}");
            case "tools/list" ->
                Rpc.result(id, "{\"tools\":[{\"name\":\"" + tool + "\",\"inputSchema\":{\"type\":\"object\"}}]}");
            case "ping" -> Rpc.result(id, "{}");
            default ->
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"no such method\"}}";
        };
    }
}
