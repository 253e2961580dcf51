package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway.Init") // initialized before each test
final class SseHttpTransportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private ScriptedSseServer server;

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
    void start() throws IOException {
        server = new ScriptedSseServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private McpClientSession open() throws IOException, InterruptedException {
        return McpClientSession.open(
                () -> server.endpoint().newTransport("test", 16 * 1024 * 1024),
                new RecordingListener(),
                new McpClientSession.ClientInfo("test", "1"),
                TIMEOUT);
    }

    @Test
    void usesTheStreamOfAServerThatRefusesInitialize() throws Exception {
        try (McpClientSession session = open()) {
            assertThat(session.version()).isEqualTo("2024-11-05");
            assertThat(session.sendRequest("tools/list", Optional.empty(), TIMEOUT))
                    .isInstanceOfSatisfying(
                            RpcMessage.ResultResponse.class,
                            response -> assertThat(response.result()).isEqualTo("{\"method\":\"tools/list\"}"));
            assertThat(server.requests)
                    .containsExactly(
                            "GET /sse  Bearer secret-words",
                            "POST /messages?session=s-1 initialize Bearer secret-words",
                            "POST /messages?session=s-1 notifications/initialized Bearer secret-words",
                            "POST /messages?session=s-1 tools/list Bearer secret-words");
            server.push("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            await().atMost(TIMEOUT).until(() -> !events.isEmpty());
            assertThat(events).containsExactly("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
        }
    }

    @Test
    void reportsTheEndOfTheStream() throws Exception {
        try (McpClientSession _ = open()) {
            server.endStream();
            await().atMost(TIMEOUT).until(() -> events.contains("lost: the server ended the session"));
        }
    }

    @Test
    void sendsNoMessageToAnotherAddress() throws Exception {
        try (ScriptedSseServer other = new ScriptedSseServer()) {
            server.messageUrl = "http://127.0.0.1:" + other.port() + "/messages?session=secret-session";
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another address")
                    .hasMessageContaining("http://127.0.0.1:" + other.port() + "/messages")
                    .hasMessageNotContaining("secret-session");
            assertThat(other.requests).isEmpty();
        }
    }

    @ParameterizedTest(name = "{1} from {0}")
    @CsvSource({
        "https://a.example/sse,    /m?s=1,                    https://a.example/m?s=1",
        "https://a.example/x/sse,  m?s=1,                     https://a.example/x/m?s=1",
        "https://a.example/sse,    https://A.example:443/m,   https://A.example:443/m",
        "https://a.example/sse,    http://a.example/m,        ''",
        "https://a.example/sse,    //b.example/m,             ''",
        "https://a.example/sse,    https://a.example:444/m,   ''",
        "https://a.example/sse,    https://me@a.example/m,    ''",
        "https://a.example/sse,    https://a.example@b.com/m, ''",
        "https://a.example/sse,    mailto:x@a.example,        ''",
        "https://a.example/sse,    'no url',                  ''",
    })
    void acceptsOnlyUrlsOfTheSameOrigin(String base, String endpoint, String expected) {
        assertThat(SseHttpTransport.sameOriginUrl(URI.create(base), endpoint)
                        .map(URI::toString)
                        .orElse(""))
                .isEqualTo(expected);
    }
}
