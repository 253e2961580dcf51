package dev.gavel.mcp.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A local server with the HTTP+SSE transport of MCP 2024-11-05 for tests, which answers each method with its name. */
final class ScriptedSseServer implements AutoCloseable {
    private static final String END = "end";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    /** The URL in the first event of the stream. */
    volatile String messageUrl = "/messages?session=s-1";

    /** All requests received: method, path with query, MCP method and authorization. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    ScriptedSseServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/sse", this::stream);
        server.createContext("/messages", this::receive);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    HttpServerTarget endpoint() {
        return new HttpServerTarget(
                URI.create("http://127.0.0.1:" + port() + "/sse"), Map.of("Authorization", "Bearer secret-words"));
    }

    /** Sends a message on the event stream. */
    void push(String message) {
        events.add("event: message\ndata: " + message);
    }

    /** Ends the event stream. */
    void endStream() {
        events.add(END);
    }

    private void record(HttpExchange exchange, String method) {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + method + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void stream(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            record(exchange, "");
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            String event = "event: endpoint\ndata: " + messageUrl;
            while (!event.equals(END)) {
                out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                event = events.take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (RpcMessage.read(body) instanceof RpcMessage.MethodMessage message) {
                record(exchange, message.method());
                if (message instanceof RpcMessage.Request request) {
                    push("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + result(request.method())
                            + "}");
                }
            }
            exchange.sendResponseHeaders(202, 0);
            exchange.getResponseBody().write("Accepted".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String result(String method) {
        return method.equals("initialize")
                ? "{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"old\"}}"
                : "{\"method\":\"" + method + "\"}";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
