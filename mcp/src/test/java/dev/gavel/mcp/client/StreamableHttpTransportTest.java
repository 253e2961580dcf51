package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // initialized before each test
final class StreamableHttpTransportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final McpClientSession.ClientInfo CLIENT = new McpClientSession.ClientInfo("test", "1");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ScriptedStatefulHttpServer server;
    private McpClientSession session;

    private final class Ears implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {
            heard.add(notification.json());
        }

        @Override
        public void onClose(String why) {
            heard.add("lost: " + why);
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        server = new ScriptedStatefulHttpServer();
        session = McpClientSession.open(() -> server.endpoint().newTransport("test"), new Ears(), CLIENT, PATIENCE);
    }

    @AfterEach
    void close() {
        session.close();
        server.close();
    }

    private String ask(String method) throws InterruptedException {
        return switch (session.sendRequest(method, Optional.empty(), PATIENCE)) {
            case RpcMessage.ResultResponse response -> response.result();
            case RpcMessage.ErrorResponse errorResponse -> errorResponse.code() + " " + errorResponse.message();
        };
    }

    @Test
    void aSessionAndItsVersionAndTheConfiguredHeadersGoWithEveryRequest() throws InterruptedException {
        assertThat(ask("tools/list")).isEqualTo("{  \"method\": \"tools/list\"}".replace("{  ", "{\n "));
        assertThat(server.requests)
                .startsWith(
                        "POST server/discover session= version=2026-07-28 last= Bearer secret-words",
                        "POST initialize session= version= last= Bearer secret-words",
                        "POST notifications/initialized session=session-1 version=2025-11-25 last= Bearer secret-words");
        assertThat(server.requests)
                .contains("POST tools/list session=session-1 version=2025-11-25 last= Bearer secret-words");
    }

    @Test
    void anAnswerMayComeAsEventsWithOthersBeforeIt() throws InterruptedException {
        assertThat(ask("events")).isEqualTo("{\"n\": 1.0}");
        assertThat(heard).containsExactly("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
    }

    @Test
    void aStreamThatBreaksIsTakenUpAgainAfterItsLastEvent() throws InterruptedException {
        assertThat(ask("breaks")).isEqualTo("{ \"resumed\":true }");
        assertThat(server.requests).anyMatch(each -> each.startsWith("GET ") && each.contains("last=broke-"));
    }

    @Test
    void aStreamThatEndsWithoutAnAnswerIsAnError() throws InterruptedException {
        assertThat(ask("lost")).startsWith("-31000 ").contains("stream ended");
    }

    @Test
    void anIdThatNoHeaderCanCarryIsNotSentBack() throws InterruptedException {
        assertThat(ask("odd")).startsWith("-31000 ").contains("stream ended");
        server.session = "s\u00e9ance";
        assertThatThrownBy(() -> McpClientSession.open(
                        () -> server.endpoint().newTransport("test"), new Ears(), CLIENT, PATIENCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("visible ASCII");
    }

    @Test
    void whatTheServerSaysUnaskedIsHeard() {
        server.push("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        await().atMost(PATIENCE)
                .until(() -> heard.contains("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"));
    }

    @Test
    void aRefusalSaysWhatToDoAndNoSecret() throws InterruptedException {
        assertThat(ask("denied"))
                .startsWith("-31001 ")
                .contains("does not let us in")
                .doesNotContain("secret");
        assertThat(ask("problem")).contains("HTTP 503: come back later");
        assertThat(ask("page")).contains("text/html").contains("is there an MCP server");
    }

    @Test
    void nobodyIsFollowedElsewhereWithOurSecrets() throws InterruptedException {
        server.redirects = 1;
        assertThat(ask("tools/list")).contains("http://localhost:1/elsewhere");
    }

    @Test
    void aSessionThatTheServerEndedIsLost() throws InterruptedException {
        server.session = "another";
        assertThat(ask("tools/list")).contains("ended the session");
        await().atMost(PATIENCE).until(() -> heard.contains("lost: the server has ended the session"));
    }

    @Test
    void aServerThatIsGoneIsLost() throws InterruptedException {
        server.close();
        assertThat(ask("tools/list")).contains("cannot be reached");
        await().atMost(PATIENCE).until(() -> heard.stream().anyMatch(each -> each.startsWith("lost: ")));
    }

    @Test
    void theServerIsToldThatTheSessionEnds() {
        session.close();
        assertThat(server.requests).last().asString().startsWith("DELETE  session=session-1 version=2025-11-25");
    }

    @Test
    void aCallThatIsCalledOffIsNotWaitedFor() {
        String id = session.nextId();
        session.sendRequest(id, "never", Optional.empty(), answer -> {});
        await().atMost(PATIENCE).until(() -> server.requests.stream().anyMatch(each -> each.startsWith("POST never")));
        session.sendNotification("notifications/cancelled", "{\"requestId\":" + id + "}");
        await().atMost(PATIENCE).until(() -> server.requests.contains("hung up on never"));
    }

    @Test
    void manyCallsAreUnderWayAtOnce() {
        List<String> answered = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 50; i++) {
            session.sendRequest(session.nextId(), "never", Optional.empty(), answer -> answered.add("never"));
        }
        session.sendRequest(session.nextId(), "events", Optional.empty(), answer -> answered.add("events"));
        await().atMost(PATIENCE).until(() -> answered.contains("events"));
        assertThat(answered).containsExactly("events");
    }

    @Test
    void anAddressInALogHoldsNoSecret() {
        assertThat(new McpHttpEndpoint(URI.create("https://example.org/mcp?key=secret"), Map.of("X-Key", "secret")))
                .asString()
                .doesNotContain("secret");
        assertThat(McpHttpEndpoint.url("https://user:secret@example.org/mcp")).isEmpty();
    }
}
