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
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A local Streamable HTTP server with sessions for tests, which answers each method in a fixed scripted way. */
public final class ScriptedStatefulHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<String> serverMessages = new LinkedBlockingQueue<>();

    /** All requests received: method, session, protocol version, last event id and authorization. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    /** The session that the server knows. Any other is answered with 404. */
    public volatile String session = "session-1";

    public volatile int redirects;

    public ScriptedStatefulHttpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/mcp", this::handle);
        server.start();
    }

    public HttpServerTarget endpoint() {
        return new HttpServerTarget(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp"),
                Map.of("Authorization", "Bearer secret-words"));
    }

    /** Sends a message on the stream of server messages. */
    public void push(String message) {
        serverMessages.add(message);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<String> sessionHeader = header(exchange, "Mcp-Session-Id");
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String method = RpcMessage.read(body) instanceof RpcMessage.MethodMessage methodMessage
                    ? methodMessage.method()
                    : "";
            requests.add(
                    exchange.getRequestMethod() + " " + method + " session=" + sessionHeader.orElse("") + " version="
                            + header(exchange, "MCP-Protocol-Version").orElse("") + " last="
                            + header(exchange, "Last-Event-ID").orElse("") + " "
                            + header(exchange, "Authorization").orElse(""));
            if (redirects > 0) {
                exchange.getResponseHeaders().set("Location", "http://localhost:1/elsewhere");
                exchange.sendResponseHeaders(307, -1);
            } else if (sessionHeader.isPresent() && !sessionHeader.get().equals(session)) {
                exchange.sendResponseHeaders(404, -1);
            } else if (header(exchange, "MCP-Protocol-Version")
                    .filter("2026-07-28"::equals)
                    .isPresent()) {
                // As servers do that support only older versions.
                json(
                        exchange,
                        400,
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Unsupported version\"}}");
            } else if (exchange.getRequestMethod().equals("GET")) {
                stream(exchange);
            } else if (exchange.getRequestMethod().equals("DELETE")) {
                exchange.sendResponseHeaders(204, -1);
            } else if (RpcMessage.read(body) instanceof RpcMessage.Request request) {
                respond(exchange, request);
            } else {
                exchange.sendResponseHeaders(202, -1);
            }
        }
    }

    private static Optional<String> header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** Without a last event id: the stream of server messages. With one: the rest of the interrupted response. */
    private void stream(HttpExchange exchange) throws IOException {
        Optional<String> last = header(exchange, "Last-Event-ID");
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        if (last.isPresent()) {
            String id = last.get().substring("broke-".length());
            event(
                    out,
                    "id: rest\ndata: {\"jsonrpc\":\"2.0\",\"id\":" + id + ",\ndata: \"result\":{ \"resumed\":true }}");
            return;
        }
        try {
            event(out, ": are you there");
            while (true) {
                event(out, "data: " + serverMessages.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void event(OutputStream out, String text) throws IOException {
        out.write((text + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void respond(HttpExchange exchange, RpcMessage.Request request) throws IOException {
        switch (request.method()) {
            case "initialize" -> {
                exchange.getResponseHeaders().set("Mcp-Session-Id", session);
                json(
                        exchange,
                        200,
                        new RpcMessage.ResultResponse(
                                        request.id(),
                                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                                + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}")
                                .json());
            }
            case "events" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                event(out, "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
                event(out, "data: " + new RpcMessage.ResultResponse(request.id(), "{\"n\": 1.0}").json());
            }
            case "breaks" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                event(exchange.getResponseBody(), "id: broke-" + request.id() + "\nretry: 10\ndata:");
            }
            case "odd" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                event(exchange.getResponseBody(), "id: caf\u00e9 \u0007\nretry: 0\ndata:");
            }
            case "lost" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                event(exchange.getResponseBody(), ": nothing follows");
            }
            case "denied" -> json(exchange, 401, "{}");
            case "problem" -> json(exchange, 503, "{\"detail\":\"come back later\"}");
            case "page" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("<p>hello".getBytes(StandardCharsets.UTF_8));
            }
            case "never" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                try {
                    while (true) {
                        event(exchange.getResponseBody(), ": still there");
                        Thread.sleep(20);
                    }
                } catch (IOException e) {
                    requests.add("hung up on never");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            default ->
                json(
                        exchange,
                        200,
                        new RpcMessage.ResultResponse(request.id(), "{\n \"method\": \"" + request.method() + "\"}")
                                .json());
        }
    }

    private static void json(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
