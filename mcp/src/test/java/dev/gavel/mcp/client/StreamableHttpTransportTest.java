package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageParser;
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
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final McpClientSession.ClientInfo CLIENT = new McpClientSession.ClientInfo("test", "1");

    private final List<String> events = new CopyOnWriteArrayList<>();
    private ScriptedStatefulHttpServer server;
    private McpClientSession session;

    private final class RecordingListener implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {
            events.add(notification.json());
        }

        @Override
        public void onClose(String reason) {
            events.add("lost: " + reason);
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        server = new ScriptedStatefulHttpServer();
        session = McpClientSession.open(
                () -> server.endpoint().newTransport("test", RpcMessageParser.DEFAULT.maxLength()),
                new RecordingListener(),
                CLIENT,
                TIMEOUT);
    }

    @AfterEach
    void close() {
        session.close();
        server.close();
    }

    private String sendRequest(String method) throws InterruptedException {
        return switch (session.sendRequest(method, Optional.empty(), TIMEOUT)) {
            case RpcMessage.ResultResponse response -> response.result();
            case RpcMessage.ErrorResponse errorResponse -> errorResponse.code() + " " + errorResponse.message();
        };
    }

    @Test
    void sendsSessionVersionAndConfiguredHeaders() throws InterruptedException {
        assertThat(sendRequest("tools/list")).isEqualTo("{  \"method\": \"tools/list\"}".replace("{  ", "{\n "));
        assertThat(server.requests)
                .startsWith(
                        "POST server/discover session= version=2026-07-28 last= Bearer secret-words",
                        "POST initialize session= version= last= Bearer secret-words",
                        "POST notifications/initialized session=session-1 version=2025-11-25 last= Bearer secret-words");
        assertThat(server.requests)
                .contains("POST tools/list session=session-1 version=2025-11-25 last= Bearer secret-words");
    }

    @Test
    void readsResponseFromEventStream() throws InterruptedException {
        assertThat(sendRequest("events")).isEqualTo("{\"n\": 1.0}");
        assertThat(events).containsExactly("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
    }

    @Test
    void resumesBrokenStream() throws InterruptedException {
        assertThat(sendRequest("breaks")).isEqualTo("{ \"resumed\":true }");
        assertThat(server.requests).anyMatch(each -> each.startsWith("GET ") && each.contains("last=broke-"));
    }

    @Test
    void streamWithoutResponseIsError() throws InterruptedException {
        assertThat(sendRequest("lost")).startsWith("-31000 ").contains("stream ended");
    }

    @Test
    void ignoresIdsThatHeadersCannotCarry() throws InterruptedException {
        assertThat(sendRequest("odd")).startsWith("-31000 ").contains("stream ended");
        server.session = "s\u00e9ance";
        assertThatThrownBy(() -> McpClientSession.open(
                        () -> server.endpoint().newTransport("test", RpcMessageParser.DEFAULT.maxLength()),
                        new RecordingListener(),
                        CLIENT,
                        TIMEOUT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("visible ASCII");
    }

    @Test
    void readsServerStream() {
        server.push("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        await().atMost(TIMEOUT)
                .until(() -> events.contains("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"));
    }

    @Test
    void errorMessagesContainNoSecret() throws InterruptedException {
        assertThat(sendRequest("denied"))
                .startsWith("-31001 ")
                .contains("refused access")
                .doesNotContain("secret");
        assertThat(sendRequest("problem")).contains("HTTP 503: come back later");
        assertThat(sendRequest("page"))
                .contains("text/html")
                .contains("check that this is the address of an MCP server");
    }

    @Test
    void doesNotFollowRedirects() throws InterruptedException {
        server.redirects = 1;
        assertThat(sendRequest("tools/list")).contains("http://localhost:1/elsewhere");
    }

    @Test
    void expiredSessionIsClosed() throws InterruptedException {
        server.session = "another";
        assertThat(sendRequest("tools/list")).contains("ended the session");
        await().atMost(TIMEOUT).until(() -> events.contains("lost: the server ended the session"));
    }

    @Test
    void unreachableServerClosesSession() throws InterruptedException {
        server.close();
        assertThat(sendRequest("tools/list")).contains("cannot be reached");
        await().atMost(TIMEOUT).until(() -> events.stream().anyMatch(each -> each.startsWith("lost: ")));
    }

    @Test
    void closeDeletesSession() {
        session.close();
        // The session's event stream may be requested at the same moment, so the DELETE need not be the last request.
        assertThat(server.requests)
                .anyMatch(request -> request.startsWith("DELETE  session=session-1 version=2025-11-25"));
    }

    @Test
    void cancelStopsWaiting() {
        String id = session.nextId();
        session.sendRequest(id, "never", Optional.empty(), answer -> {});
        await().atMost(TIMEOUT).until(() -> server.requests.stream().anyMatch(each -> each.startsWith("POST never")));
        session.sendNotification("notifications/cancelled", "{\"requestId\":" + id + "}");
        await().atMost(TIMEOUT).until(() -> server.requests.contains("hung up on never"));
    }

    @Test
    void runsRequestsConcurrently() {
        List<String> answered = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 50; i++) {
            session.sendRequest(session.nextId(), "never", Optional.empty(), answer -> answered.add("never"));
        }
        session.sendRequest(session.nextId(), "events", Optional.empty(), answer -> answered.add("events"));
        await().atMost(TIMEOUT).until(() -> answered.contains("events"));
        assertThat(answered).containsExactly("events");
    }

    @Test
    void endpointTextContainsNoSecret() {
        assertThat(new HttpServerTarget(URI.create("https://example.org/mcp?key=secret"), Map.of("X-Key", "secret")))
                .asString()
                .doesNotContain("secret");
        assertThat(HttpServerTarget.url("https://user:secret@example.org/mcp")).isEmpty();
    }
}
