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
 * One connection of an MCP client over Streamable HTTP, kept open and used for one request at a time. It is as plain as can
 * be, so that what is measured is the other side. Used by one thread.
 */
final class HttpCaller implements Caller {
    private static final int CONNECT_MILLIS = 30_000;
    private static final int BUFFER = 2 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String fixed;
    private final boolean stateless;
    private String session;

    private HttpCaller(Socket socket, String fixed, boolean stateless, String session) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        this.out = socket.getOutputStream();
        this.fixed = fixed;
        this.stateless = stateless;
        this.session = session;
    }

    /** Connects, and begins a session. */
    static HttpCaller begin(InetSocketAddress server, String path, String token) throws IOException {
        HttpCaller caller = connect(server, path, token, "");
        caller.ask(Rpc.INITIALIZE);
        caller.post(Rpc.INITIALIZED, nothing -> {});
        return caller;
    }

    /** Connects for another request of a session that has begun. */
    static HttpCaller connect(InetSocketAddress server, String path, String token, String session) throws IOException {
        return connect(server, path, token, Rpc.VERSION, session);
    }

    /** Connects for requests that stand alone. */
    static HttpCaller stateless(InetSocketAddress server, String path, String token) throws IOException {
        return connect(server, path, token, Rpc.STATELESS, "");
    }

    private static HttpCaller connect(
            InetSocketAddress server, String path, String token, String version, String session) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, CONNECT_MILLIS);
            return new HttpCaller(
                    socket,
                    "POST " + path + " HTTP/1.1\r\nHost: " + server.getHostString() + ":" + server.getPort()
                            + "\r\nAuthorization: Bearer " + token
                            + "\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
                            + "MCP-Protocol-Version: " + version + "\r\n",
                    version.equals(Rpc.STATELESS),
                    session);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The session's id, for more connections of the same client; empty where the server gave none. */
    String session() {
        return session;
    }

    @Override
    public String ask(String request) throws IOException {
        String[] last = {""};
        post(request, message -> last[0] = message);
        return last[0];
    }

    /** Sends a message, and hands over every message of the answer as it comes. */
    void post(String message, Consumer<String> hears) throws IOException {
        byte[] body = message.getBytes(UTF_8);
        String head = fixed + (session.isEmpty() ? "" : "Mcp-Session-Id: " + session + "\r\n")
                + (stateless ? standing(message) : "") + "Content-Length: " + body.length + "\r\n\r\n";
        ByteArrayOutputStream whole = new ByteArrayOutputStream(head.length() + body.length);
        whole.writeBytes(head.getBytes(ISO_8859_1));
        whole.writeBytes(body);
        whole.writeTo(out);
        answer(hears);
    }

    /** What a request that stands alone says in its headers, too. */
    private static String standing(String message) {
        String method = Rpc.text(message, "method");
        return "Mcp-Method: " + method + "\r\nMcp-Name: "
                + Rpc.text(message, method.startsWith("tasks/") ? "taskId" : "name") + "\r\n";
    }

    private void answer(Consumer<String> hears) throws IOException {
        String head = Http.head(in);
        if (!head.startsWith("HTTP/1.1 20")) {
            throw new IOException("refused: " + head.lines().findFirst().orElse("the connection ended"));
        }
        String given = Http.header(head, "mcp-session-id");
        session = given.isEmpty() ? session : given;
        if (Http.header(head, "transfer-encoding").equals("chunked")) {
            events(hears);
        } else {
            String body = new String(in.readNBytes(Http.number(head, "content-length")), UTF_8);
            if (!body.isEmpty()) {
                hears.accept(body);
            }
        }
    }

    private void events(Consumer<String> hears) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte[] chunk = Http.chunk(in); chunk.length > 0; chunk = Http.chunk(in)) {
            for (byte each : chunk) {
                if (each != '\n') {
                    line.write(each);
                } else {
                    String text = line.toString(UTF_8);
                    line.reset();
                    if (text.startsWith("data: {")) {
                        hears.accept(text.substring("data: ".length()));
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
