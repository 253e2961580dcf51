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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A local MCP 2026-07-28 HTTP server for tests, which answers each method with a handler that the test sets. */
public final class ScriptedStatelessHttpServer implements AutoCloseable {
    private static final String DISCOVERED = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{\"tools\":{\"listChanged\":true}},\"ttlMs\":0,\"cacheScope\":\"private\"}";

    private final HttpServer server;
    private final int port;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

    /** All requests received. */
    public final List<RecordedRequest> recordedRequests = new CopyOnWriteArrayList<>();

    /** Other events, such as closed streams. */
    public final List<String> events = new CopyOnWriteArrayList<>();

    /** The notifications to send to listening clients. */
    public final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();

    /** The notifications that the acknowledgement of a listen request contains. */
    public volatile String acknowledgement = "{\"toolsListChanged\":true}";

    /** A request with its MCP headers, ordered by name. */
    public record RecordedRequest(String verb, String method, String params, Map<String, String> headers) {}

    /** Responds to one method. */
    public interface Handler {
        void answer(Exchange exchange, RpcMessage.Request request) throws IOException;
    }

    /** Writes a response. */
    public record Exchange(HttpExchange http) {
        public void result(RpcMessage.Request request, String result) throws IOException {
            json(200, new RpcMessage.ResultResponse(request.id(), result));
        }

        public void json(int status, RpcMessage.Response response) throws IOException {
            http.getResponseHeaders().set("Content-Type", "application/json");
            byte[] bytes = response.bytes();
            http.sendResponseHeaders(status, bytes.length);
            http.getResponseBody().write(bytes);
        }

        public void stream() throws IOException {
            http.getResponseHeaders().set("Content-Type", "text/event-stream");
            http.sendResponseHeaders(200, 0);
        }

        public void event(String data) throws IOException {
            OutputStream out = http.getResponseBody();
            out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    public ScriptedStatelessHttpServer() throws IOException {
        this(0);
    }

    /** Creates a server at a given port, where another one ran before. */
    public ScriptedStatelessHttpServer(int requestedPort) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), requestedPort), 0);
        this.port = server.getAddress().getPort();
        server.setExecutor(threads);
        server.createContext("/mcp", this::handle);
        on("server/discover", (exchange, request) -> exchange.result(request, DISCOVERED));
        on("subscriptions/listen", this::listen);
        on("never", this::neverRespond);
        server.start();
    }

    public void on(String method, Handler handler) {
        handlers.put(method, handler);
    }

    public int port() {
        return port;
    }

    public HttpServerTarget endpoint() {
        return new HttpServerTarget(URI.create("http://127.0.0.1:" + port() + "/mcp"), Map.of());
    }

    /** Returns the requests with that method so far. */
    public List<RecordedRequest> recordedRequests(String method) {
        return recordedRequests.stream()
                .filter(each -> each.method().equals(method))
                .toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Optional<RpcMessage.MethodMessage> methodMessage =
                    RpcMessage.read(body) instanceof RpcMessage.MethodMessage each
                            ? Optional.of(each)
                            : Optional.empty();
            Map<String, String> headers = new TreeMap<>();
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (name.regionMatches(true, 0, "mcp-", 0, 4)) {
                    headers.put(name.toLowerCase(Locale.ROOT), values.getFirst());
                }
            });
            recordedRequests.add(new RecordedRequest(
                    exchange.getRequestMethod(),
                    methodMessage.map(RpcMessage.MethodMessage::method).orElse(""),
                    methodMessage.flatMap(RpcMessage.MethodMessage::params).orElse(""),
                    headers));
            if (methodMessage.isPresent() && methodMessage.get() instanceof RpcMessage.Request request) {
                handlers.getOrDefault(
                                request.method(),
                                (to, unknownRequest) -> to.json(
                                        404,
                                        new RpcMessage.ErrorResponse(
                                                unknownRequest.id(),
                                                "{\"code\":-32601,\"message\":\"not here\",\"data\":{ \"kept\":1.0 }}")))
                        .answer(new Exchange(exchange), request);
            } else {
                exchange.sendResponseHeaders(405, -1);
            }
        }
    }

    private void listen(Exchange exchange, RpcMessage.Request request) throws IOException {
        exchange.stream();
        exchange.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
                + meta(request) + ",\"notifications\":" + acknowledgement + "}}");
        try {
            while (true) {
                String next = notifications.take();
                if (next.equals("break")) {
                    return;
                }
                exchange.event("{\"jsonrpc\":\"2.0\",\"method\":\"" + next + "\",\"params\":{" + meta(request) + "}}");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String meta(RpcMessage.Request request) {
        return "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + request.id() + "}";
    }

    /** Sends log messages periodically until the client disconnects, and never responds. */
    private void neverRespond(Exchange exchange, RpcMessage.Request request) throws IOException {
        exchange.stream();
        try {
            while (true) {
                exchange.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
                Thread.sleep(20);
            }
        } catch (IOException e) {
            events.add("hung up on " + request.id());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
