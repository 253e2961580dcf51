package dev.gavel.mcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.StatelessServer.Seen;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // made before each test
final class StatelessHttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private static final String SOUND = "{\"name\":\"sound\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
            + "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}, \"odd\":1.0}";
    private static final String UNSOUND = "{\"name\":\"unsound\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
            + "{\"region\":{\"type\":\"number\",\"x-mcp-header\":\"Region\"}}}}";

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private StatelessServer server;
    private Session session;

    private final class Ears implements Session.Events {
        @Override
        public void notified(Message.Notification notification) {
            heard.add(notification.method());
        }

        @Override
        public void lost(String why) {
            heard.add("lost: " + why);
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        server = new StatelessServer();
        session = Session.open(
                () -> server.endpoint().transport("test"), new Ears(), new Session.ClientInfo("test", "1"), PATIENCE);
        server.on("tools/list", (to, request) -> to.result(request, "{\"tools\":[" + UNSOUND + ", " + SOUND + "]}"));
        server.on("tools/call", (to, request) -> to.result(request, "{ \"content\":[]}"));
    }

    @AfterEach
    void close() {
        session.close();
        server.close();
    }

    private String ask(String method, String params) throws InterruptedException {
        return switch (session.ask(method, Optional.of(params), PATIENCE)) {
            case Message.Response response -> response.result();
            case Message.Failure failure -> failure.error();
        };
    }

    @Test
    void everyRequestSaysInBodyAndHeadersWhatItIs() throws InterruptedException {
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(session.stateless()).isTrue();
        server.on("resources/read", (to, request) -> to.result(request, "{}"));

        ask("resources/read", "{\"uri\":\"file:///é\"}");

        Seen seen = server.seen("resources/read").getFirst();
        assertThat(seen.params()).isEqualTo("{" + META + ",\"uri\":\"file:///é\"}");
        assertThat(seen.headers())
                .isEqualTo(Map.of(
                        "mcp-protocol-version",
                        "2026-07-28",
                        "mcp-method",
                        "resources/read",
                        "mcp-name",
                        "=?base64?ZmlsZTovLy/DqQ==?="));
    }

    @Test
    void thereIsNoSessionAndNoStreamBesidesThoseOfRequests() throws InterruptedException {
        ask("tools/list", "{}");
        session.close();
        assertThat(server.seen).extracting(Seen::verb).containsOnly("POST");
        assertThat(server.seen).extracting(Seen::method).containsExactly("server/discover", "tools/list");
    }

    @Test
    void aToolWhoseHeadersMakeNoSenseIsLeftOutAndTheOthersArgumentsAreSaidInTheirs() throws InterruptedException {
        assertThat(ask("tools/list", "{}")).isEqualTo("{\"tools\":[" + SOUND + "]}");

        assertThat(ask("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}"))
                .isEqualTo("{ \"content\":[]}");
        assertThat(server.seen("tools/call").getFirst().headers())
                .containsEntry("mcp-name", "sound")
                .containsEntry("mcp-param-region", "north");
        assertThat(server.seen("tools/list")).hasSize(1);
    }

    @Test
    void toolsAreListedBeforeTheFirstCall() throws InterruptedException {
        ask("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}");
        ask("tools/call", "{\"name\":\"unknown\"}");

        assertThat(server.seen("tools/call").getFirst().headers()).containsEntry("mcp-param-region", "north");
        assertThat(server.seen("tools/list")).hasSize(1);
        assertThat(server.seen("tools/list").getFirst().params()).isEqualTo("{" + META + "}");
    }

    @Test
    void afterAMismatchToolsAreListedAgainAndTheCallIsRepeatedOnce() throws InterruptedException {
        AtomicInteger mismatches = new AtomicInteger(1);
        server.on("tools/list", (to, request) -> to.result(request, "{\"tools\":[]}"));
        ask("tools/list", "{}");
        server.on("tools/list", (to, request) -> to.result(request, "{\"tools\":[" + SOUND + "]}"));
        server.on("tools/call", (to, request) -> {
            if (mismatches.getAndDecrement() > 0) {
                to.json(400, RpcError.HEADER_MISMATCH.failure(request.id(), "Mcp-Param-Region is missing"));
            } else {
                to.result(request, "{}");
            }
        });

        assertThat(ask("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}"))
                .isEqualTo("{}");
        assertThat(server.seen("tools/call"))
                .extracting(each -> each.headers().getOrDefault("mcp-param-region", "none"))
                .containsExactly("none", "north");

        mismatches.set(2);
        assertThat(ask("tools/call", "{\"name\":\"sound\"}")).contains("-32020");
        assertThat(server.seen("tools/call")).hasSize(4);
    }

    @Test
    void aRequestThatIsCalledOffHasItsStreamClosedAndNothingIsPosted() {
        String id = session.nextId();
        session.ask(id, "never", Optional.empty(), answer -> heard.add("answered"));
        await().atMost(PATIENCE).until(() -> heard.contains("notifications/message"));

        session.tell("notifications/cancelled", "{\"requestId\":" + id + "}");

        await().atMost(PATIENCE).until(() -> server.noticed.contains("hung up on " + id));
        assertThat(server.seen("notifications/cancelled")).isEmpty();
        assertThat(heard).doesNotContain("answered");
    }

    @Test
    void aStreamThatBreaksBeforeTheAnswerIsAnError() throws InterruptedException {
        server.on("breaks", (to, request) -> {
            to.stream();
            to.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\nid: 1");
        });
        assertThat(ask("breaks", "{}")).contains("-31000", "stream ended");
        assertThat(server.seen("breaks")).hasSize(1);
        assertThat(server.seen).extracting(Seen::verb).containsOnly("POST");
        assertThat(heard).containsExactly("notifications/progress");
    }

    @Test
    void anErrorOfTheServerIsTheAnswerWhateverItsStatus() throws InterruptedException {
        assertThat(ask("prompts/get", "{\"name\":\"x\"}"))
                .isEqualTo("{\"code\":-32601,\"message\":\"not here\",\"data\":{ \"kept\":1.0 }}");
        server.on(
                "internal",
                (to, request) ->
                        to.json(500, new Message.Failure(request.id(), "{\"code\":-32603,\"message\":\"oh\"}")));
        assertThat(ask("internal", "{}")).isEqualTo("{\"code\":-32603,\"message\":\"oh\"}");
        assertThat(heard).isEmpty();
    }

    @Test
    void aServerThatIsGoneIsLost() throws InterruptedException {
        server.close();
        assertThat(ask("tools/list", "{}")).contains("cannot be reached");
        await().atMost(PATIENCE).until(() -> heard.stream().anyMatch(each -> each.startsWith("lost: ")));
    }
}
