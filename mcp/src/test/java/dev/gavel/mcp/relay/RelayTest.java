package dev.gavel.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.session.Endpoint;
import dev.gavel.mcp.session.ScriptedHttp;
import dev.gavel.mcp.session.StatelessServer;
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

@SuppressWarnings("NullAway.Init") // made before each test
final class RelayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private ScriptedHttp server;
    private PipedOutputStream client;
    private Thread relaying;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedHttp();
        start(server.endpoint());
    }

    private void start(Endpoint endpoint) throws IOException {
        client = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(client, 1 << 20);
        OutputStream out = new Answers();
        Relay relay = new Relay(endpoint, in, out, complaints::add);
        relaying = Thread.ofPlatform().start(() -> {
            try {
                relay.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Whole lines, as they are written. */
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
        server.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
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
        assertThat(server.seen)
                .filteredOn(each -> each.startsWith("POST initialize "))
                .hasSize(2);
        assertThat(server.seen).anyMatch(each -> each.startsWith("POST tools/call session=session-2"));
    }

    private static String modern(int id, String method, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}" + more + "}}";
    }

    /** Has the lines carried to a server of MCP 2026-07-28 instead. */
    private StatelessServer modernise() throws IOException, InterruptedException {
        stop();
        StatelessServer modern = new StatelessServer();
        start(modern.endpoint());
        return modern;
    }

    @Test
    void bothKindsOfLinesMayComeFromOneClient() throws IOException {
        say(modern(1, "server/discover", ""));
        answered("\"id\":1,\"error\"");
        say(request(2, "initialize"));
        answered("\"id\":2,\"result\"");
        assertThat(server.seen)
                .containsExactly(
                        "POST server/discover session= version=2026-07-28 last= Bearer secret-words",
                        "POST initialize session= version= last= Bearer secret-words");
    }

    @Test
    void aLineThatSaysItsVersionIsSentWithItsHeadersAndClosedWhenItIsCalledOff()
            throws IOException, InterruptedException {
        try (StatelessServer modern = modernise()) {
            modern.on("prompts/get", (to, request) -> to.result(request, "{ \"messages\":[]}"));
            say(modern(1, "prompts/get", ",\"name\":\"hello\""));
            assertThat(answered("\"id\":1,")).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"messages\":[]}}");
            assertThat(modern.seen.getFirst().headers())
                    .isEqualTo(Map.of(
                            "mcp-protocol-version", "2026-07-28", "mcp-method", "prompts/get", "mcp-name", "hello"));
            say(modern(2, "never", ""));
            answered("notifications/message");
            say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
            await().atMost(PATIENCE).until(() -> modern.noticed.contains("hung up on 2"));
            assertThat(modern.seen("notifications/cancelled")).isEmpty();
            assertThat(answers).noneMatch(each -> each.contains("\"id\":2,"));
        }
    }

    @Test
    void aStreamOfChangesIsOpenedAgainWhenTheServerIsBackAndWhatIsUnderWayIsAnError()
            throws IOException, InterruptedException {
        StatelessServer first = modernise();
        say(modern(1, "subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":true}"));
        answered("acknowledged");
        say(modern(2, "never", ""));
        answered("notifications/message");
        first.close();
        assertThat(answered("\"id\":2,\"error\"")).contains("-31000");
        try (StatelessServer second = new StatelessServer(first.port())) {
            answered("notifications/tools/list_changed");
            second.news.add("notifications/prompts/list_changed");
            answered("notifications/prompts/list_changed");
        }
        assertThat(answers).filteredOn(each -> each.contains("acknowledged")).hasSize(1);
        assertThat(answers).noneMatch(each -> each.contains("\"id\":1,"));
    }

    @Test
    void whoListensHearsAfterABreakOfWhatWasGrantedAloneAndWhereThatIsLessNow()
            throws IOException, InterruptedException {
        try (StatelessServer modern = modernise()) {
            modern.granted = "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\",\"c:d\"]}";
            say(modern(
                    1,
                    "subscriptions/listen",
                    ",\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
                            + "\"resourceSubscriptions\":[\"a:b\",\"c:d\",\"e:f\"]}"));
            answered("acknowledged");
            // The same in another order is nothing new.
            modern.granted = "{\"resourceSubscriptions\":[\"c:d\",\"a:b\"],\"toolsListChanged\":true}";
            modern.news.add("break");
            answered("\"uri\":\"c:d\"");
            assertThat(answers.stream().map(RelayTest::told))
                    .containsExactly("subscriptions/acknowledged", "tools/list_changed", "a:b", "c:d");
            answers.clear();
            modern.granted = "{\"resourceSubscriptions\":[\"a:b\"]}";
            modern.news.add("break");
            assertThat(answered("acknowledged")).contains("\"notifications\":{\"resourceSubscriptions\":[\"a:b\"]}");
            assertThat(answers.stream().map(RelayTest::told))
                    .containsExactly("tools/list_changed", "c:d", "a:b", "subscriptions/acknowledged");
            answers.clear();
            modern.news.add("break");
            answered("\"uri\":\"a:b\"");
            modern.news.add("notifications/message");
            answered("notifications/message");
            assertThat(answers.stream().map(RelayTest::told)).containsExactly("a:b", "message");
        }
    }

    /** The resource that a notification is about, or else its method. */
    private static String told(String line) {
        Json said = Json.parse(line).orElseThrow();
        return said.at("params")
                .at("uri")
                .ifText()
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
        assertThat(server.seen).anyMatch(each -> each.startsWith("DELETE  session=session-1"));
    }
}
