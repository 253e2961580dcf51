package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.ScriptedStatelessHttpServer.RecordedRequest;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageParser;
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

@SuppressWarnings("NullAway.Init") // initialized before each test
final class StatelessHttpTransportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private static final String VALID_TOOL = "{\"name\":\"sound\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
            + "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}, \"odd\":1.0}";
    private static final String INVALID_TOOL =
            "{\"name\":\"unsound\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"region\":{\"type\":\"number\",\"x-mcp-header\":\"Region\"}}}}";

    private final List<String> events = new CopyOnWriteArrayList<>();
    private ScriptedStatelessHttpServer server;
    private McpClientSession session;

    private final class RecordingListener implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {
            events.add(notification.method());
        }

        @Override
        public void onClose(String reason) {
            events.add("lost: " + reason);
        }
    }

    @BeforeEach
    void open() throws IOException, InterruptedException {
        server = new ScriptedStatelessHttpServer();
        session = McpClientSession.open(
                () -> server.endpoint().newTransport("test", RpcMessageParser.DEFAULT.maxLength()),
                new RecordingListener(),
                new McpClientSession.ClientInfo("test", "1"),
                TIMEOUT);
        server.on(
                "tools/list",
                (to, request) -> to.result(request, "{\"tools\":[" + INVALID_TOOL + ", " + VALID_TOOL + "]}"));
        server.on("tools/call", (to, request) -> to.result(request, "{ \"content\":[]}"));
    }

    @AfterEach
    void close() {
        session.close();
        server.close();
    }

    private String sendRequest(String method, String params) throws InterruptedException {
        return switch (session.sendRequest(method, Optional.of(params), TIMEOUT)) {
            case RpcMessage.ResultResponse response -> response.result();
            case RpcMessage.ErrorResponse errorResponse -> errorResponse.error();
        };
    }

    @Test
    void sendsMetadataAndRoutingHeaders() throws InterruptedException {
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(session.isStateless()).isTrue();
        server.on("resources/read", (to, request) -> to.result(request, "{}"));

        sendRequest("resources/read", "{\"uri\":\"file:///é\"}");

        RecordedRequest recordedRequest =
                server.recordedRequests("resources/read").getFirst();
        assertThat(recordedRequest.params()).isEqualTo("{" + META + ",\"uri\":\"file:///é\"}");
        assertThat(recordedRequest.headers())
                .isEqualTo(Map.of(
                        "mcp-protocol-version",
                        "2026-07-28",
                        "mcp-method",
                        "resources/read",
                        "mcp-name",
                        "=?base64?ZmlsZTovLy/DqQ==?="));
    }

    @Test
    void sendsOnlyPostRequests() throws InterruptedException {
        sendRequest("tools/list", "{}");
        session.close();
        assertThat(server.recordedRequests).extracting(RecordedRequest::verb).containsOnly("POST");
        assertThat(server.recordedRequests)
                .extracting(RecordedRequest::method)
                .containsExactly("server/discover", "tools/list");
    }

    @Test
    void removesInvalidToolsAndSendsParamHeaders() throws InterruptedException {
        assertThat(sendRequest("tools/list", "{}")).isEqualTo("{\"tools\":[" + VALID_TOOL + "]}");

        assertThat(sendRequest("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}"))
                .isEqualTo("{ \"content\":[]}");
        assertThat(server.recordedRequests("tools/call").getFirst().headers())
                .containsEntry("mcp-name", "sound")
                .containsEntry("mcp-param-region", "north");
        assertThat(server.recordedRequests("tools/list")).hasSize(1);
    }

    @Test
    void listsToolsBeforeFirstCall() throws InterruptedException {
        sendRequest("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}");
        sendRequest("tools/call", "{\"name\":\"unknown\"}");

        assertThat(server.recordedRequests("tools/call").getFirst().headers())
                .containsEntry("mcp-param-region", "north");
        assertThat(server.recordedRequests("tools/list")).hasSize(1);
        assertThat(server.recordedRequests("tools/list").getFirst().params()).isEqualTo("{" + META + "}");
    }

    @Test
    void retriesOnceAfterHeaderMismatch() throws InterruptedException {
        AtomicInteger mismatches = new AtomicInteger(1);
        server.on("tools/list", (to, request) -> to.result(request, "{\"tools\":[]}"));
        sendRequest("tools/list", "{}");
        server.on("tools/list", (to, request) -> to.result(request, "{\"tools\":[" + VALID_TOOL + "]}"));
        server.on("tools/call", (to, request) -> {
            if (mismatches.getAndDecrement() > 0) {
                to.json(400, RpcErrorCode.HEADER_MISMATCH.toResponse(request.id(), "Mcp-Param-Region is missing"));
            } else {
                to.result(request, "{}");
            }
        });

        assertThat(sendRequest("tools/call", "{\"name\":\"sound\",\"arguments\":{\"region\":\"north\"}}"))
                .isEqualTo("{}");
        assertThat(server.recordedRequests("tools/call"))
                .extracting(each -> each.headers().getOrDefault("mcp-param-region", "none"))
                .containsExactly("none", "north");

        mismatches.set(2);
        assertThat(sendRequest("tools/call", "{\"name\":\"sound\"}")).contains("-32020");
        assertThat(server.recordedRequests("tools/call")).hasSize(4);
    }

    @Test
    void cancelClosesStream() {
        String id = session.nextId();
        session.sendRequest(id, "never", Optional.empty(), answer -> events.add("answered"));
        await().atMost(TIMEOUT).until(() -> events.contains("notifications/message"));

        session.sendNotification("notifications/cancelled", "{\"requestId\":" + id + "}");

        await().atMost(TIMEOUT).until(() -> server.events.contains("hung up on " + id));
        assertThat(server.recordedRequests("notifications/cancelled")).isEmpty();
        assertThat(events).doesNotContain("answered");
    }

    @Test
    void brokenStreamIsError() throws InterruptedException {
        server.on("breaks", (to, request) -> {
            to.stream();
            to.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\nid: 1");
        });
        assertThat(sendRequest("breaks", "{}")).contains("-31000", "stream ended");
        assertThat(server.recordedRequests("breaks")).hasSize(1);
        assertThat(server.recordedRequests).extracting(RecordedRequest::verb).containsOnly("POST");
        assertThat(events).containsExactly("notifications/progress");
    }

    @Test
    void tooLongEventFailsItsRequest() throws IOException {
        List<RpcMessage> received = new CopyOnWriteArrayList<>();
        try (McpTransport transport = server.endpoint().newTransport("test", RpcMessageParser.DEFAULT.maxLength())) {
            transport.open(new McpTransport.Receiver() {
                @Override
                public void onMessage(RpcMessage message) {
                    received.add(message);
                }

                @Override
                public void onClose(String reason) {}
            });
            String tooLong = "x".repeat(RpcMessageParser.DEFAULT.maxLength() + 100);
            server.on("tools/list", (to, request) -> {
                to.stream();
                to.event(tooLong);
            });
            Optional<String> params = Optional.of("{" + META + ",\"name\":\"sound\"}");
            transport.send(new RpcMessage.Request("7", "tools/call", params));
            await().atMost(TIMEOUT).until(() -> !received.isEmpty());
            assertThat(received).containsExactly(new RpcMessage.ResultResponse("7", "{ \"content\":[]}"));

            transport.send(new RpcMessage.Request("8", "tools/list", params));
            await().atMost(TIMEOUT).until(() -> received.size() > 1);
            assertThat(received.getLast())
                    .isEqualTo(RpcErrorCode.UNSENDABLE.toResponse(
                            "8",
                            "the server's message has " + tooLong.length() + " bytes. The limit is "
                                    + RpcMessageParser.DEFAULT.maxLength() + " bytes (limits.answer)"));
        }
        assertThat(received).hasSize(2);
    }

    @Test
    void deliversServerErrorForAnyStatus() throws InterruptedException {
        assertThat(sendRequest("prompts/get", "{\"name\":\"x\"}"))
                .isEqualTo("{\"code\":-32601,\"message\":\"not here\",\"data\":{ \"kept\":1.0 }}");
        server.on(
                "internal",
                (to, request) -> to.json(
                        500, new RpcMessage.ErrorResponse(request.id(), "{\"code\":-32603,\"message\":\"oh\"}")));
        assertThat(sendRequest("internal", "{}")).isEqualTo("{\"code\":-32603,\"message\":\"oh\"}");
        assertThat(events).isEmpty();
    }

    @Test
    void unreachableServerClosesSession() throws InterruptedException {
        server.close();
        assertThat(sendRequest("tools/list", "{}")).contains("cannot be reached");
        await().atMost(TIMEOUT).until(() -> events.stream().anyMatch(each -> each.startsWith("lost: ")));
    }
}
