package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which protocol version is negotiated, depending on how a server responds or does not respond. */
final class ProtocolNegotiatorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Long timeouts for tests in which a response arrives. Tests without a response use short ones. */
    private static final ProtocolNegotiator.Timeouts LONG_TIMEOUTS = new ProtocolNegotiator.Timeouts(TIMEOUT, TIMEOUT);

    private static final ProtocolNegotiator.Timeouts SHORT_TIMEOUTS =
            new ProtocolNegotiator.Timeouts(TIMEOUT, Duration.ofMillis(1));

    private static final String DISCOVER_RESULT =
            "{\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\"],\"capabilities\":{\"tools\":{}}}";
    private static final String INITIALIZE_RESULT =
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"prompts\":{}}}";

    /** The methods that the servers received, in order, beginning with each start. */
    private final List<String> receivedMethods = new ArrayList<>();

    private final List<String> closeReasons = new ArrayList<>();

    /**
     * A server that responds to each method as the test sets, or not at all. A slow server responds to nothing before
     * the second request.
     */
    private final class Server implements McpTransport {
        private final Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers;
        private final List<RpcMessage.Request> heldRequests = new ArrayList<>();
        private boolean slow;
        private @Nullable Receiver receiver;

        Server(boolean slow, Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers) {
            this.slow = slow;
            this.answers = answers;
        }

        @Override
        public void open(Receiver to) {
            receivedMethods.add("start");
            receiver = to;
        }

        @Override
        public void send(RpcMessage message) {
            receivedMethods.add(((RpcMessage.MethodMessage) message).method());
            if (message instanceof RpcMessage.Request request) {
                heldRequests.add(request);
                if (!slow) {
                    heldRequests.forEach(this::answer);
                    heldRequests.clear();
                }
                slow = false;
            }
        }

        private void answer(RpcMessage.Request request) {
            Receiver to = receiver;
            Function<RpcMessage.Request, Optional<RpcMessage>> handler = answers.get(request.method());
            if (to != null && handler != null) {
                handler.apply(request)
                        .ifPresentOrElse(to::onMessage, () -> to.onClose("the server ended with exit code 1"));
            }
        }

        @Override
        public void close() {
            receivedMethods.add("end");
        }
    }

    private static Function<RpcMessage.Request, Optional<RpcMessage>> result(String result) {
        return request -> Optional.of(new RpcMessage.ResultResponse(request.id(), result));
    }

    private static Function<RpcMessage.Request, Optional<RpcMessage>> error(String error) {
        return request -> Optional.of(new RpcMessage.ErrorResponse(request.id(), error));
    }

    private final class RecordingListener implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {}

        @Override
        public void onClose(String reason) {
            closeReasons.add(reason);
        }
    }

    private McpClientSession open(ProtocolNegotiator.Timeouts timeouts, McpTransport... servers)
            throws IOException, InterruptedException {
        List<McpTransport> remaining = new ArrayList<>(List.of(servers));
        return McpClientSession.open(
                remaining::removeFirst,
                new RecordingListener(),
                new McpClientSession.ClientInfo("test", "1"),
                timeouts);
    }

    private Server server(Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers) {
        return new Server(false, answers);
    }

    @Test
    void negotiatesStateless() throws Exception {
        McpClientSession session = open(LONG_TIMEOUTS, server(Map.of("server/discover", result(DISCOVER_RESULT))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(session.hasCapability("tools")).isTrue();
        assertThat(receivedMethods).containsExactly("start", "server/discover");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":-32601,\"message\":\"no such method\"}",
                "{\"code\":-32602,\"message\":\"not before initialisation\"}",
                "{\"code\":-32600,\"message\":\"invalid\"}",
                "{\"code\":-32000,\"message\":\"Bad Request: Server not initialized\"}",
                "{\"code\":0}",
                "{\"code\":-32022,\"message\":\"older\",\"data\":{\"supported\":[\"2025-11-25\",\"2025-06-18\"]}}",
                "{\"code\":-32022,\"message\":\"unsaid\"}"
            })
    void fallsBackToStatefulAfterError(String error) throws Exception {
        McpClientSession session = open(
                LONG_TIMEOUTS,
                server(Map.of("server/discover", error(error), "initialize", result(INITIALIZE_RESULT))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(session.hasCapability("prompts")).isTrue();
        assertThat(receivedMethods)
                .containsExactly("start", "server/discover", "initialize", "notifications/initialized");
    }

    @Test
    void fallsBackIfServerNamesOnlyOlderVersions() throws Exception {
        McpClientSession session = open(
                LONG_TIMEOUTS,
                server(Map.of(
                        "server/discover",
                        result("{\"supportedVersions\":[\"2025-06-18\"]}"),
                        "initialize",
                        result(INITIALIZE_RESULT))));
        assertThat(session.version()).isEqualTo("2025-06-18");
    }

    @Test
    void failsIfNoVersionIsSupported() {
        assertThatThrownBy(
                        () -> open(
                                LONG_TIMEOUTS,
                                server(
                                        Map.of(
                                                "server/discover",
                                                error(
                                                        "{\"code\":-32022,\"message\":\"x\",\"data\":{\"supported\":[\"2031-01-01\"]}}")))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("supports only MCP 2031-01-01;")
                .hasMessageContaining("2026-07-28, 2025-11-25");
    }

    @Test
    void statelessServerErrorDoesNotFallBack() {
        assertThatThrownBy(() -> open(
                        LONG_TIMEOUTS,
                        server(Map.of(
                                "server/discover",
                                request -> Optional.of(
                                        RpcErrorCode.MISSING_CAPABILITY.toResponse(request.id(), "needs roots")),
                                "initialize",
                                result(INITIALIZE_RESULT)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("needs roots");
    }

    @Test
    void fallsBackIfDiscoverIsUnanswered() throws Exception {
        McpClientSession session = open(SHORT_TIMEOUTS, server(Map.of("initialize", result(INITIALIZE_RESULT))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(receivedMethods)
                .containsExactly("start", "server/discover", "initialize", "notifications/initialized");
    }

    @Test
    void acceptsLateDiscoverResponse() throws Exception {
        McpClientSession session = open(
                SHORT_TIMEOUTS,
                new Server(
                        true,
                        Map.of(
                                "server/discover",
                                result(DISCOVER_RESULT),
                                "initialize",
                                error("{\"code\":-32022,\"message\":\"2026-07-28 only\"}"))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(receivedMethods).containsExactly("start", "server/discover", "initialize");
    }

    @Test
    void restartsSlowServerForStateless() throws Exception {
        McpClientSession session = open(
                SHORT_TIMEOUTS,
                new Server(
                        true,
                        Map.of("server/discover", result(DISCOVER_RESULT), "initialize", result(INITIALIZE_RESULT))),
                server(Map.of("server/discover", result(DISCOVER_RESULT))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(receivedMethods)
                .containsExactly("start", "server/discover", "initialize", "end", "start", "server/discover");
    }

    @Test
    void restartsEndedServerForStateful() throws Exception {
        McpClientSession session = open(
                LONG_TIMEOUTS,
                server(Map.of("server/discover", request -> Optional.empty())),
                server(Map.of("initialize", result(INITIALIZE_RESULT))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(receivedMethods)
                .containsExactly("start", "server/discover", "end", "start", "initialize", "notifications/initialized");
        assertThat(closeReasons).isEmpty();
    }

    @Test
    void failsIfServerEndsTwice() {
        assertThatThrownBy(() -> open(
                        LONG_TIMEOUTS,
                        server(Map.of("server/discover", request -> Optional.empty())),
                        server(Map.of("initialize", request -> Optional.empty()))))
                .isInstanceOf(IOException.class)
                .hasMessage("the server ended with exit code 1");
        assertThat(receivedMethods).endsWith("end");
    }
}
