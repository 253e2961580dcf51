package dev.gavel.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.McpHttpEndpoint;
import dev.gavel.mcp.client.ScriptedStatefulHttpServer;
import dev.gavel.mcp.client.ScriptedStatelessHttpServer;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // initialized before each test
final class StdioHttpRelayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private ScriptedStatefulHttpServer server;
    private PipedOutputStream client;
    private Thread relaying;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedStatefulHttpServer();
        start(server.endpoint());
    }

    private void start(McpHttpEndpoint endpoint) throws IOException {
        client = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(client, 1 << 20);
        OutputStream out = new Answers();
        StdioHttpRelay relay = new StdioHttpRelay(endpoint, in, out, complaints::add);
        relaying = Thread.ofPlatform().start(() -> {
            try {
                relay.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Collects the complete lines written to it. */
    private final class Answers extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public void write(int each) {
            if (each == '\n') {
                answers.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(each);
            }
        }
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        client.close();
        relaying.join();
        server.close();
    }

    private void say(String line) throws IOException {
        client.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    private static String request(int id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{ \"n\":1.0 }}";
    }

    private void initialise() throws IOException {
        say(request(1, "initialize"));
        answered("\"id\":1,");
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    private String answered(String part) {
        await().atMost(PATIENCE).until(() -> answers.stream().anyMatch(each -> each.contains(part)));
        return answers.stream().filter(each -> each.contains(part)).findFirst().orElseThrow();
    }

    @Test
    void linesBecomeRequestsAndAnswersBecomeLines() throws IOException {
        initialise();
        say(request(2, "never"));
        say(request(3, "tools/list"));
        assertThat(answered("\"id\":3,"))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{  \"method\": \"tools/list\"}}");
        say(request(4, "events"));
        answered("\"id\":4,");
        answered("notifications/message");
        server.push("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        answered("list_changed");
        say(request(5, "breaks"));
        answered("resumed");
    }

    @Test
    void aSessionThatTheServerForgotIsBegunAgainAndNobodyNotices() throws IOException {
        initialise();
        server.session = "session-2";
        say(request(2, "tools/list"));
        say(request(3, "tools/call"));

        answered("\"id\":2,\"result\"");
        answered("\"id\":3,\"result\"");
        assertThat(answers).noneMatch(each -> each.contains("initialize-again"));
        assertThat(server.requests)
                .filteredOn(each -> each.startsWith("POST initialize "))
                .hasSize(2);
        assertThat(server.requests).anyMatch(each -> each.startsWith("POST tools/call session=session-2"));
    }

    private static String modern(int id, String method, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}" + more + "}}";
    }

    /** Restarts the relay with a server of MCP 2026-07-28. */
    private ScriptedStatelessHttpServer modernise() throws IOException, InterruptedException {
        stop();
        ScriptedStatelessHttpServer modern = new ScriptedStatelessHttpServer();
        start(modern.endpoint());
        return modern;
    }

    @Test
    void bothKindsOfLinesMayComeFromOneClient() throws IOException {
        say(modern(1, "server/discover", ""));
        answered("\"id\":1,\"error\"");
        say(request(2, "initialize"));
        answered("\"id\":2,\"result\"");
        assertThat(server.requests)
                .containsExactly(
                        "POST server/discover session= version=2026-07-28 last= Bearer secret-words",
                        "POST initialize session= version= last= Bearer secret-words");
    }

    @Test
    void aLineThatSaysItsVersionIsSentWithItsHeadersAndClosedWhenItIsCalledOff()
            throws IOException, InterruptedException {
        try (ScriptedStatelessHttpServer modern = modernise()) {
            modern.on("prompts/get", (to, request) -> to.result(request, "{ \"messages\":[]}"));
            say(modern(1, "prompts/get", ",\"name\":\"hello\""));
            assertThat(answered("\"id\":1,")).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"messages\":[]}}");
            assertThat(modern.recordedRequests.getFirst().headers())
                    .isEqualTo(Map.of(
                            "mcp-protocol-version", "2026-07-28", "mcp-method", "prompts/get", "mcp-name", "hello"));
            say(modern(2, "never", ""));
            answered("notifications/message");
            say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
            await().atMost(PATIENCE).until(() -> modern.events.contains("hung up on 2"));
            assertThat(modern.recordedRequests("notifications/cancelled")).isEmpty();
            assertThat(answers).noneMatch(each -> each.contains("\"id\":2,"));
        }
    }

    @Test
    void aStreamOfChangesIsOpenedAgainWhenTheServerIsBackAndWhatIsUnderWayIsAnError()
            throws IOException, InterruptedException {
        ScriptedStatelessHttpServer first = modernise();
        say(modern(1, "subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":true}"));
        answered("acknowledged");
        say(modern(2, "never", ""));
        answered("notifications/message");
        first.close();
        assertThat(answered("\"id\":2,\"error\"")).contains("-31000");
        try (ScriptedStatelessHttpServer second = new ScriptedStatelessHttpServer(first.port())) {
            answered("notifications/tools/list_changed");
            second.notifications.add("notifications/prompts/list_changed");
            answered("notifications/prompts/list_changed");
        }
        assertThat(answers).filteredOn(each -> each.contains("acknowledged")).hasSize(1);
        assertThat(answers).noneMatch(each -> each.contains("\"id\":1,"));
    }

    @Test
    void whoListensHearsAfterABreakOfWhatWasGrantedAloneAndWhereThatIsLessNow()
            throws IOException, InterruptedException {
        try (ScriptedStatelessHttpServer modern = modernise()) {
            modern.acknowledged = "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\",\"c:d\"]}";
            say(modern(
                    1,
                    "subscriptions/listen",
                    ",\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                            + "\"resourceSubscriptions\":[\"a:b\",\"c:d\",\"e:f\"]}"));
            answered("acknowledged");
            // The same notifications in another order are not a change.
            modern.acknowledged = "{\"resourceSubscriptions\":[\"c:d\",\"a:b\"],\"toolsListChanged\":true}";
            modern.notifications.add("break");
            answered("\"uri\":\"c:d\"");
            assertThat(answers.stream().map(StdioHttpRelayTest::told))
                    .containsExactly("subscriptions/acknowledged", "tools/list_changed", "a:b", "c:d");
            answers.clear();
            modern.acknowledged = "{\"resourceSubscriptions\":[\"a:b\"]}";
            modern.notifications.add("break");
            assertThat(answered("acknowledged")).contains("\"notifications\":{\"resourceSubscriptions\":[\"a:b\"]}");
            assertThat(answers.stream().map(StdioHttpRelayTest::told))
                    .containsExactly("tools/list_changed", "c:d", "a:b", "subscriptions/acknowledged");
            answers.clear();
            modern.notifications.add("break");
            answered("\"uri\":\"a:b\"");
            modern.notifications.add("notifications/message");
            answered("notifications/message");
            assertThat(answers.stream().map(StdioHttpRelayTest::told)).containsExactly("a:b", "message");
        }
    }

    /** Returns the resource that a notification names, or else its method. */
    private static String told(String line) {
        Json said = Json.parse(line).orElseThrow();
        return said.at("params")
                .at("uri")
                .asText()
                .orElseGet(() -> said.at("method").text().replaceFirst("notifications/", ""));
    }

    @Test
    void whatGoesWrongIsAnAnswerAndALineForAPerson() throws IOException {
        say("nonsense");
        answered("-32700");
        say(request(2, "denied"));
        assertThat(answered("\"id\":2,\"error\"")).contains("does not let us in");
        assertThat(complaints).singleElement().asString().contains("does not let us in");
        server.close();
        say(request(3, "tools/list"));
        assertThat(answered("\"id\":3,\"error\"")).contains("cannot be reached");
    }

    @Test
    void theLastLineIsAnsweredBeforeTheEnd() throws IOException, InterruptedException {
        client.write(request(1, "initialize").getBytes(StandardCharsets.UTF_8));
        client.close();
        relaying.join();
        assertThat(answers).singleElement().asString().contains("\"id\":1,");
    }

    @Test
    void theSessionEndsWhenTheClientSaysNoMore() throws IOException, InterruptedException {
        initialise();
        say(request(2, "never"));
        client.close();
        relaying.join();
        assertThat(server.requests).anyMatch(each -> each.startsWith("DELETE  session=session-1"));
    }
}
