package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Token;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.RemoteTopicConnector;
import dev.gavel.mcp.bridge.RestartPolicy;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Starts and stops bridges on HTTP request for the conformance suites, without a JVM for each. Thread-safe. */
final class BridgeControlServer implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 40;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Bridge> bridges = new ConcurrentHashMap<>();

    BridgeControlServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Json wanted = Json.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                    .orElseThrow();
            boolean done = exchange.getRequestMethod().equals("DELETE") ? end(wanted) : begin(wanted);
            exchange.sendResponseHeaders(done ? 204 : 504, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean begin(Json wanted) throws InterruptedException {
        String topic = wanted.at("topic").text();
        String name = wanted.at("name").text();
        HttpServerTarget endpoint =
                new HttpServerTarget(URI.create(wanted.at("url").text()), Map.of());
        Bridge bridge = new Bridge(
                name,
                topic,
                () -> endpoint.newTransport(name, EnvelopeLimits.DEFAULT.answerBytes()),
                new RemoteTopicConnector(
                        () -> Gavel.at(wanted.at("gateway").text())
                                .token(Token.of(wanted.at("token").text()))
                                .topic(topic),
                        name),
                new McpClientSession.ClientInfo("gavel", "conformance"),
                EnvelopeLimits.DEFAULT,
                RestartPolicy.DEFAULT);
        CountDownLatch up = new CountDownLatch(1);
        bridge.onUp(_ -> up.countDown());
        bridges.put(topic, bridge);
        bridge.start();
        return up.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private boolean end(Json wanted) {
        Bridge bridge = bridges.remove(wanted.at("topic").text());
        if (bridge != null) {
            bridge.close();
        }
        return true;
    }

    @Override
    public void close() {
        server.stop(0);
        bridges.values().forEach(Bridge::close);
        threads.shutdownNow();
    }
}
