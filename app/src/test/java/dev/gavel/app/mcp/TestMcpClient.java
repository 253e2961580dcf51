package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A plain MCP client over Streamable HTTP for tests that shows every message it receives. */
final class TestMcpClient {
    static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final URI url;
    private String token;
    private final String version;
    private @Nullable String session;

    TestMcpClient(TestServer server, String topic, String identity) {
        this(server, topic, identity, "2025-11-25");
    }

    TestMcpClient(TestServer server, String topic, String identity, String version) {
        this(URI.create("http://" + server.listen() + "/mcp/" + topic), identity, version);
    }

    TestMcpClient(URI url, String identity, String version) {
        this.url = url;
        this.token = identity + TestServer.SECRET;
        this.version = version;
    }

    /** Starts a session, and returns the server's response. */
    Json initialize() throws Exception {
        return initialize("{}");
    }

    /** Starts a session with these capabilities of the client. */
    Json initialize(String capabilities) throws Exception {
        HttpResponse<String> response =
                HTTP.send(post("""
                        {"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"%s",
                        "capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}""".formatted(version, capabilities)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        session = response.headers().firstValue("Mcp-Session-Id").orElseThrow();
        notify("notifications/initialized", "{}");
        return Json.parse(response.body()).orElseThrow().at("result");
    }

    String session() {
        return Objects.requireNonNull(session);
    }

    /** Uses another token from now on. */
    TestMcpClient useToken(String newToken) {
        token = newToken;
        return this;
    }

    /** Continues a session that was started elsewhere. */
    TestMcpClient resumeSession(String id) {
        session = id;
        return this;
    }

    HttpRequest.Builder post(String body) {
        return request()
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpRequest.Builder request() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(60)).header("Authorization", "Bearer " + token);
        if (session != null) {
            request.header("Mcp-Session-Id", session).header("MCP-Protocol-Version", version);
        }
        return request;
    }

    int notify(String method, String params) throws Exception {
        return HTTP.send(
                        post("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    /** Responds to a request of the server. */
    int respond(Json request, String result) throws Exception {
        return HTTP.send(
                        post("{\"jsonrpc\":\"2.0\",\"id\":" + request.at("id").raw() + ",\"result\":" + result + "}")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    /** Sends a request and waits for the response. */
    Json requestAndAwait(String method, String params) throws Exception {
        return begin(method, params).answer();
    }

    /** The result of a tool call. */
    Json call(String tool, String arguments) throws Exception {
        return requestAndAwait("tools/call", params(tool, arguments)).at("result");
    }

    /** The id of the first proposal that waits for a decision of this client; waits until there is one. */
    String awaitPending() {
        return await().until(
                        () -> call("gavel_pending", "{}").at("structuredContent").at("proposals").elements().stream()
                                .map(proposal -> proposal.at("id").text())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    static String params(String tool, String arguments) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
    }

    static String withProgress(String tool, String arguments, String token) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + ",\"_meta\":{\"progressToken\":" + token
                + "}}";
    }

    static String text(Json result) {
        return result.at("content").elements().getFirst().at("text").text();
    }

    List<String> tools() throws Exception {
        return requestAndAwait("tools/list", "{}").at("result").at("tools").elements().stream()
                .map(tool -> tool.at("name").text())
                .toList();
    }

    /** Starts a request, and reads its messages in the background. */
    PendingResponse begin(String method, String params) throws Exception {
        String id = "\"c" + NEXT.incrementAndGet() + "\"";
        HttpResponse<InputStream> response = HTTP.send(
                post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        return new PendingResponse(id, response);
    }

    /** As {@link #begin}, without waiting for the response headers. */
    CompletableFuture<PendingResponse> beginLater(String method, String params) {
        String id = "\"c" + NEXT.incrementAndGet() + "\"";
        return HTTP.sendAsync(
                        post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params
                                        + "}")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .thenApply(response -> new PendingResponse(id, response));
    }

    /** Opens the stream of messages that belong to no request, or resumes it after an event. */
    PendingResponse listen(@Nullable String lastEvent) throws Exception {
        HttpRequest.Builder request =
                request().header("Accept", "text/event-stream").GET();
        if (lastEvent != null) {
            request.header("Last-Event-ID", lastEvent);
        }
        return new PendingResponse("", HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    }

    int end() throws Exception {
        return HTTP.send(request().DELETE().build(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    /** The messages of one request. */
    static final class PendingResponse {
        final String id;
        final int status;
        private final InputStream body;
        private final BlockingQueue<Optional<Json>> messages = new LinkedBlockingQueue<>();
        volatile String lastEvent = "";
        final boolean events;

        PendingResponse(String id, HttpResponse<InputStream> response) {
            this.id = id;
            this.status = response.statusCode();
            this.body = response.body();
            this.events =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                if (!events) {
                    StringBuilder all = new StringBuilder();
                    lines.lines().forEach(all::append);
                    Json.parse(all.toString()).ifPresent(json -> messages.add(Optional.of(json)));
                } else {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        if (line.startsWith("id: ")) {
                            lastEvent = line.substring(4);
                        } else if (line.startsWith("data: ") && line.length() > 6) {
                            messages.add(Json.parse(line.substring(6)));
                        }
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                // The connection was cut; the test knows why.
            } finally {
                messages.add(Optional.empty());
            }
        }

        /** The next message; empty at the end. */
        Optional<Json> next() throws InterruptedException {
            Optional<Json> next = messages.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("something comes within 30 s").isNotNull();
            return next;
        }

        /** The messages received and not yet read. */
        List<Json> waiting() {
            return messages.stream().flatMap(Optional::stream).toList();
        }

        /** Waits for the response, ignoring other messages before it. */
        Json answer() throws InterruptedException {
            while (true) {
                Json next = next().orElseThrow(() -> new AssertionError("it ended without an answer"));
                if (!next.at("method").isPresent()) {
                    return next;
                }
            }
        }

        void cut() throws IOException {
            body.close();
        }
    }
}
