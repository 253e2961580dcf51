package dev.gavel.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.ScriptedStatefulHttpServer;
import dev.gavel.mcp.client.ScriptedStatelessHttpServer;
import dev.gavel.mcp.facade.stateless.DiscoverResponseFactory;
import dev.gavel.mcpx.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // initialized before each test
final class StdioHttpRelayTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> receivedLines = new CopyOnWriteArrayList<>();
    private Duration discoverPatience = Duration.ofMinutes(5);
    private ScriptedStatefulHttpServer server;
    private PipedOutputStream client;
    private Thread relayThread;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedStatefulHttpServer();
        start(server.endpoint());
    }

    private void start(HttpServerTarget endpoint) throws IOException {
        client = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(client, 1 << 20);
        OutputStream out = new LineCollector();
        StdioHttpRelay relay = new StdioHttpRelay(
                endpoint,
                in,
                out,
                new DiscoverResponder(
                        discoverPatience, id -> DiscoverResponseFactory.createOffline(id, "main", "9.9.9")),
                problems::add);
        relayThread = Thread.ofPlatform().start(() -> {
            try {
                relay.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Collects the complete lines written to it. */
    private final class LineCollector extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public void write(int each) {
            if (each == '\n') {
                receivedLines.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(each);
            }
        }
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        client.close();
        relayThread.join();
        server.close();
    }

    private void sendLine(String line) throws IOException {
        client.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    private static String request(int id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{ \"n\":1.0 }}";
    }

    private void initialize() throws IOException {
        sendLine(request(1, "initialize"));
        awaitLine("\"id\":1,");
        sendLine("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    private String awaitLine(String part) {
        await().atMost(TIMEOUT).until(() -> receivedLines.stream().anyMatch(each -> each.contains(part)));
        return receivedLines.stream()
                .filter(each -> each.contains(part))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void relaysRequestsAndResponses() throws IOException {
        initialize();
        sendLine(request(2, "never"));
        sendLine(request(3, "tools/list"));
        assertThat(awaitLine("\"id\":3,"))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{  \"method\": \"tools/list\"}}");
        sendLine(request(4, "events"));
        awaitLine("\"id\":4,");
        awaitLine("notifications/message");
        server.push("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        awaitLine("list_changed");
        sendLine(request(5, "breaks"));
        awaitLine("resumed");
    }

    @Test
    void restoresLostSession() throws IOException {
        initialize();
        server.session = "session-2";
        sendLine(request(2, "tools/list"));
        sendLine(request(3, "tools/call"));

        awaitLine("\"id\":2,\"result\"");
        awaitLine("\"id\":3,\"result\"");
        assertThat(receivedLines).noneMatch(each -> each.contains("initialize-again"));
        assertThat(server.requests)
                .filteredOn(each -> each.startsWith("POST initialize "))
                .hasSize(2);
        assertThat(server.requests).anyMatch(each -> each.startsWith("POST tools/call session=session-2"));
    }

    private static String statelessRequest(int id, String method, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}" + more + "}}";
    }

    /** Restarts the relay with a server of MCP 2026-07-28. */
    private ScriptedStatelessHttpServer restartWithStatelessServer() throws IOException, InterruptedException {
        stop();
        ScriptedStatelessHttpServer statelessServer = new ScriptedStatelessHttpServer();
        start(statelessServer.endpoint());
        return statelessServer;
    }

    @Test
    void relaysStatefulAndStatelessRequests() throws IOException {
        sendLine(statelessRequest(1, "server/discover", ""));
        awaitLine("\"id\":1,\"error\"");
        sendLine(request(2, "initialize"));
        awaitLine("\"id\":2,\"result\"");
        assertThat(server.requests)
                .containsExactly(
                        "POST server/discover session= version=2026-07-28 last= Bearer secret-words",
                        "POST initialize session= version= last= Bearer secret-words");
    }

    @Test
    void relaysStatelessRequestAndCancellation() throws IOException, InterruptedException {
        try (ScriptedStatelessHttpServer statelessServer = restartWithStatelessServer()) {
            statelessServer.on("prompts/get", (to, request) -> to.result(request, "{ \"messages\":[]}"));
            sendLine(statelessRequest(1, "prompts/get", ",\"name\":\"hello\""));
            assertThat(awaitLine("\"id\":1,"))
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"messages\":[]}}");
            assertThat(statelessServer.recordedRequests.getFirst().headers())
                    .isEqualTo(Map.of(
                            "mcp-protocol-version", "2026-07-28", "mcp-method", "prompts/get", "mcp-name", "hello"));
            sendLine(statelessRequest(2, "never", ""));
            awaitLine("notifications/message");
            sendLine("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
            await().atMost(TIMEOUT).until(() -> statelessServer.events.contains("hung up on 2"));
            assertThat(statelessServer.recordedRequests("notifications/cancelled"))
                    .isEmpty();
            assertThat(receivedLines).noneMatch(each -> each.contains("\"id\":2,"));
        }
    }

    @Test
    void reopensListenAfterServerRestart() throws IOException, InterruptedException {
        ScriptedStatelessHttpServer first = restartWithStatelessServer();
        sendLine(statelessRequest(1, "subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":true}"));
        awaitLine("acknowledged");
        sendLine(statelessRequest(2, "never", ""));
        awaitLine("notifications/message");
        first.close();
        assertThat(awaitLine("\"id\":2,\"error\"")).contains("-31000");
        try (ScriptedStatelessHttpServer second = new ScriptedStatelessHttpServer(first.port())) {
            awaitLine("notifications/tools/list_changed");
            second.notifications.add("notifications/prompts/list_changed");
            awaitLine("notifications/prompts/list_changed");
        }
        assertThat(receivedLines)
                .filteredOn(each -> each.contains("acknowledged"))
                .hasSize(1);
        assertThat(receivedLines).noneMatch(each -> each.contains("\"id\":1,"));
    }

    @Test
    void reopenedListenReportsAcknowledgedChangesOnly() throws IOException, InterruptedException {
        try (ScriptedStatelessHttpServer statelessServer = restartWithStatelessServer()) {
            statelessServer.acknowledgement = "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\",\"c:d\"]}";
            sendLine(statelessRequest(
                    1,
                    "subscriptions/listen",
                    ",\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                            + "\"resourceSubscriptions\":[\"a:b\",\"c:d\",\"e:f\"]}"));
            awaitLine("acknowledged");
            // The same notifications in another order are not a change.
            statelessServer.acknowledgement = "{\"resourceSubscriptions\":[\"c:d\",\"a:b\"],\"toolsListChanged\":true}";
            statelessServer.notifications.add("break");
            awaitLine("\"uri\":\"c:d\"");
            assertThat(receivedLines.stream().map(StdioHttpRelayTest::notificationSubject))
                    .containsExactly("subscriptions/acknowledged", "tools/list_changed", "a:b", "c:d");
            receivedLines.clear();
            statelessServer.acknowledgement = "{\"resourceSubscriptions\":[\"a:b\"]}";
            statelessServer.notifications.add("break");
            assertThat(awaitLine("acknowledged")).contains("\"notifications\":{\"resourceSubscriptions\":[\"a:b\"]}");
            assertThat(receivedLines.stream().map(StdioHttpRelayTest::notificationSubject))
                    .containsExactly("tools/list_changed", "c:d", "a:b", "subscriptions/acknowledged");
            receivedLines.clear();
            statelessServer.notifications.add("break");
            awaitLine("\"uri\":\"a:b\"");
            statelessServer.notifications.add("notifications/message");
            awaitLine("notifications/message");
            assertThat(receivedLines.stream().map(StdioHttpRelayTest::notificationSubject))
                    .containsExactly("a:b", "message");
        }
    }

    @Test
    void describesTheTopicIfTheServerIsSlow() throws IOException, InterruptedException {
        discoverPatience = Duration.ofMillis(1);
        try (ScriptedStatelessHttpServer statelessServer = restartWithStatelessServer()) {
            CountDownLatch described = new CountDownLatch(1);
            statelessServer.on("server/discover", (exchange, request) -> {
                try {
                    described.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.result(request, "{\"late\":true}");
            });
            statelessServer.on("tools/list", (exchange, request) -> exchange.result(request, "{\"tools\":[]}"));
            sendLine(statelessRequest(1, "server/discover", ""));

            Json description = Json.parse(awaitLine("\"id\":1,")).orElseThrow().at("result");
            assertThat(description.at("supportedVersions").texts()).contains("2026-07-28");
            assertThat(description.at("capabilities").at("tools").isPresent()).isTrue();
            assertThat(description
                            .at("_meta")
                            .at("io.modelcontextprotocol/serverInfo")
                            .at("title")
                            .text())
                    .isEqualTo("Gavel: main");

            described.countDown();
            sendLine(statelessRequest(2, "tools/list", ""));
            awaitLine("\"id\":2,");
            client.close();
            relayThread.join();
            assertThat(receivedLines)
                    .filteredOn(each -> each.contains("\"id\":1,"))
                    .hasSize(1);
        }
    }

    @Test
    void prefersTheServersOwnDescription() throws IOException, InterruptedException {
        try (ScriptedStatelessHttpServer _ = restartWithStatelessServer()) {
            sendLine(statelessRequest(1, "server/discover", ""));
            assertThat(awaitLine("\"id\":1,")).doesNotContain("Gavel: main");
        }
    }

    /** Returns the resource that a notification names, or else its method. */
    private static String notificationSubject(String line) {
        Json notification = Json.parse(line).orElseThrow();
        return notification
                .at("params")
                .at("uri")
                .asText()
                .orElseGet(() -> notification.at("method").text().replaceFirst("notifications/", ""));
    }

    @Test
    void reportsProblems() throws IOException {
        sendLine("nonsense");
        awaitLine("-32700");
        sendLine(request(2, "denied"));
        assertThat(awaitLine("\"id\":2,\"error\"")).contains("refused access");
        assertThat(problems).singleElement().asString().contains("refused access");
        server.close();
        sendLine(request(3, "tools/list"));
        assertThat(awaitLine("\"id\":3,\"error\"")).contains("cannot be reached");
    }

    @Test
    void respondsToLastLineBeforeEnd() throws IOException, InterruptedException {
        client.write(request(1, "initialize").getBytes(StandardCharsets.UTF_8));
        client.close();
        relayThread.join();
        assertThat(receivedLines).singleElement().asString().contains("\"id\":1,");
    }

    @Test
    void endsSessionWhenClientCloses() throws IOException, InterruptedException {
        initialize();
        sendLine(request(2, "never"));
        client.close();
        relayThread.join();
        assertThat(server.requests).anyMatch(each -> each.startsWith("DELETE  session=session-1"));
    }
}
