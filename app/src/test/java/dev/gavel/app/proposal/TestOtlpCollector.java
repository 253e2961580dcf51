package dev.gavel.app.proposal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** An OTLP/HTTP collector that records the spans it receives. */
final class TestOtlpCollector implements AutoCloseable {
    private final HttpServer server;
    private final ConcurrentLinkedQueue<JsonNode> spans = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requestCount = new AtomicInteger();
    private volatile int status = 200;

    TestOtlpCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            requestCount.incrementAndGet();
            if (status == 200) {
                bodies.add(new String(body, UTF_8));
                JsonNode request = TestEnvelope.JSON.readTree(body);
                assertThat(exchange.getRequestHeaders().getFirst("Content-Type"))
                        .isEqualTo("application/json");
                request.path("resourceSpans")
                        .forEach(resource -> resource.path("scopeSpans")
                                .forEach(scope -> scope.path("spans").forEach(spans::add)));
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the status of further responses. */
    void respondWith(int other) {
        status = other;
    }

    /** The number of requests received. */
    int requestCount() {
        return requestCount.get();
    }

    List<JsonNode> spans() {
        return new ArrayList<>(spans);
    }

    /** The bodies of all requests received. */
    String text() {
        return String.join("\n", bodies);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
