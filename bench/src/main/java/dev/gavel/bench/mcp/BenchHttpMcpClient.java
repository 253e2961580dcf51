package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;

/**
 * MCP client for benchmarks that sends requests, in a session or stateless, over one open Streamable HTTP connection.
 * It is as simple as possible, so that its own cost does not affect the measurement. Used by one thread.
 */
final class BenchHttpMcpClient implements BenchMcpClient {
    private static final int CONNECT_MILLIS = 30_000;
    private static final int BUFFER = 2 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String fixedHeaders;
    private final boolean stateless;
    private String session;

    private BenchHttpMcpClient(Socket socket, String fixed, boolean stateless, String session) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        this.out = socket.getOutputStream();
        this.fixedHeaders = fixed;
        this.stateless = stateless;
        this.session = session;
    }

    /** Connects and starts a session. */
    static BenchHttpMcpClient openSession(InetSocketAddress server, String path, String token) throws IOException {
        BenchHttpMcpClient caller = connect(server, path, token, "");
        caller.request(BenchRpcMessages.INITIALIZE);
        caller.post(BenchRpcMessages.INITIALIZED, nothing -> {});
        return caller;
    }

    /** Connects for another request of an existing session. */
    static BenchHttpMcpClient connect(InetSocketAddress server, String path, String token, String session)
            throws IOException {
        return connect(server, path, token, BenchRpcMessages.SESSION_VERSION, session);
    }

    /** Connects for stateless requests. */
    static BenchHttpMcpClient connectStateless(InetSocketAddress server, String path, String token) throws IOException {
        return connect(server, path, token, BenchRpcMessages.STATELESS_VERSION, "");
    }

    private static BenchHttpMcpClient connect(
            InetSocketAddress server, String path, String token, String version, String session) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, CONNECT_MILLIS);
            return new BenchHttpMcpClient(
                    socket,
                    "POST " + path + " HTTP/1.1\r\nHost: " + server.getHostString() + ":" + server.getPort()
                            + "\r\nAuthorization: Bearer " + token
                            + "\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
                            + "MCP-Protocol-Version: " + version + "\r\n",
                    version.equals(BenchRpcMessages.STATELESS_VERSION),
                    session);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The session's id, for more connections of the same client; empty if the server sent none. */
    String sessionId() {
        return session;
    }

    @Override
    public String request(String request) throws IOException {
        String[] last = {""};
        post(request, message -> last[0] = message);
        return last[0];
    }

    /** Sends a message, and passes on every message of the response as it arrives. */
    void post(String message, Consumer<String> listener) throws IOException {
        byte[] body = message.getBytes(UTF_8);
        String head = fixedHeaders + (session.isEmpty() ? "" : "Mcp-Session-Id: " + session + "\r\n")
                + (stateless ? statelessHeaders(message) : "") + "Content-Length: " + body.length + "\r\n\r\n";
        ByteArrayOutputStream packet = new ByteArrayOutputStream(head.length() + body.length);
        packet.writeBytes(head.getBytes(ISO_8859_1));
        packet.writeBytes(body);
        packet.writeTo(out);
        readResponse(listener);
    }

    /** The headers that repeat fields of a stateless request. */
    private static String statelessHeaders(String message) {
        String method = BenchRpcMessages.textField(message, "method");
        return "Mcp-Method: " + method + "\r\nMcp-Name: "
                + BenchRpcMessages.textField(message, method.startsWith("tasks/") ? "taskId" : "name") + "\r\n";
    }

    private void readResponse(Consumer<String> listener) throws IOException {
        String head = RawHttpParser.readHead(in);
        if (!head.startsWith("HTTP/1.1 20")) {
            throw new IOException("the server refused the request: "
                    + head.lines().findFirst().orElse("the connection ended"));
        }
        String sessionHeader = RawHttpParser.headerValue(head, "mcp-session-id");
        session = sessionHeader.isEmpty() ? session : sessionHeader;
        if (RawHttpParser.headerValue(head, "transfer-encoding").equals("chunked")) {
            readEvents(listener);
        } else {
            String body = new String(in.readNBytes(RawHttpParser.intHeader(head, "content-length")), UTF_8);
            if (!body.isEmpty()) {
                listener.accept(body);
            }
        }
    }

    private void readEvents(Consumer<String> listener) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte[] chunk = RawHttpParser.readChunk(in); chunk.length > 0; chunk = RawHttpParser.readChunk(in)) {
            for (byte each : chunk) {
                if (each != '\n') {
                    line.write(each);
                } else {
                    String text = line.toString(UTF_8);
                    line.reset();
                    if (text.startsWith("data: {")) {
                        listener.accept(text.substring("data: ".length()));
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
