package dev.gavel.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A test HTTP server that gives scripted responses in place of a gateway. Thread-safe. */
final class ScriptedGateway implements AutoCloseable {
    private record ScriptedResponse(int status, String body) {}

    private final HttpServer server;
    private final Queue<ScriptedResponse> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requestCount = new AtomicInteger();
    private final RemoteGateway gateway;

    ScriptedGateway() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
        gateway = new RemoteGateway(new GatewayEndpoint(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Optional.empty()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        requestCount.incrementAndGet();
        ScriptedResponse scriptedResponse = answers.size() > 1 ? answers.remove() : answers.element();
        byte[] body = scriptedResponse.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(scriptedResponse.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Adds the next response; the last response is repeated from then on. */
    ScriptedGateway respond(int status, String body) {
        answers.add(new ScriptedResponse(status, body.replace('\'', '"')));
        return this;
    }

    RemoteGateway remote() {
        return gateway;
    }

    int requestCount() {
        return requestCount.get();
    }

    @Override
    public void close() {
        gateway.close();
        server.stop(0);
    }
}
