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
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Long timeouts for tests in which a response arrives. Tests without a response use short ones. */
    private static final ProtocolNegotiator.Timeouts LONG = new ProtocolNegotiator.Timeouts(PATIENCE, PATIENCE);

    private static final ProtocolNegotiator.Timeouts SHORT =
            new ProtocolNegotiator.Timeouts(PATIENCE, Duration.ofMillis(1));

    private static final String DISCOVERED =
            "{\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\"],\"capabilities\":{\"tools\":{}}}";
    private static final String INITIALISED = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"prompts\":{}}}";

    /** The methods that the servers received, in order, beginning with each start. */
    private final List<String> told = new ArrayList<>();

    private final List<String> lost = new ArrayList<>();

    /**
     * A server that responds to each method as the test sets, or not at all. A slow server responds to nothing before
     * the second request.
     */
    private final class Server implements McpTransport {
        private final Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers;
        private final List<RpcMessage.Request> held = new ArrayList<>();
        private boolean slow;
        private @Nullable Receiver receiver;

        Server(boolean slow, Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers) {
            this.slow = slow;
            this.answers = answers;
        }

        @Override
        public void open(Receiver to) {
            told.add("start");
            receiver = to;
        }

        @Override
        public void send(RpcMessage message) {
            told.add(((RpcMessage.MethodMessage) message).method());
            if (message instanceof RpcMessage.Request request) {
                held.add(request);
                if (!slow) {
                    held.forEach(this::answer);
                    held.clear();
                }
                slow = false;
            }
        }

        private void answer(RpcMessage.Request request) {
            Receiver to = receiver;
            Function<RpcMessage.Request, Optional<RpcMessage>> known = answers.get(request.method());
            if (to != null && known != null) {
                known.apply(request)
                        .ifPresentOrElse(to::onMessage, () -> to.onClose("the server ended with exit code 1"));
            }
        }

        @Override
        public void close() {
            told.add("end");
        }
    }

    private static Function<RpcMessage.Request, Optional<RpcMessage>> result(String result) {
        return request -> Optional.of(new RpcMessage.ResultResponse(request.id(), result));
    }

    private static Function<RpcMessage.Request, Optional<RpcMessage>> error(String error) {
        return request -> Optional.of(new RpcMessage.ErrorResponse(request.id(), error));
    }

    private final class Ears implements McpClientSession.SessionListener {
        @Override
        public void onNotification(RpcMessage.Notification notification) {}

        @Override
        public void onClose(String why) {
            lost.add(why);
        }
    }

    private McpClientSession open(ProtocolNegotiator.Timeouts timeouts, McpTransport... servers)
            throws IOException, InterruptedException {
        List<McpTransport> left = new ArrayList<>(List.of(servers));
        return McpClientSession.open(
                left::removeFirst, new Ears(), new McpClientSession.ClientInfo("test", "1"), timeouts);
    }

    private Server server(Map<String, Function<RpcMessage.Request, Optional<RpcMessage>>> answers) {
        return new Server(false, answers);
    }

    @Test
    void whoSaysItSpeaksTheNewestIsSpokenToInIt() throws Exception {
        McpClientSession session = open(LONG, server(Map.of("server/discover", result(DISCOVERED))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(session.hasCapability("tools")).isTrue();
        assertThat(told).containsExactly("start", "server/discover");
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
    void whoAnswersWithAnErrorOfTheirOwnIsSpokenToInTheOldWay(String error) throws Exception {
        McpClientSession session =
                open(LONG, server(Map.of("server/discover", error(error), "initialize", result(INITIALISED))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(session.hasCapability("prompts")).isTrue();
        assertThat(told).containsExactly("start", "server/discover", "initialize", "notifications/initialized");
    }

    @Test
    void whoNamesOlderVersionsAloneIsSpokenToInTheOldWay() throws Exception {
        McpClientSession session = open(
                LONG,
                server(Map.of(
                        "server/discover",
                        result("{\"supportedVersions\":[\"2025-06-18\"]}"),
                        "initialize",
                        result(INITIALISED))));
        assertThat(session.version()).isEqualTo("2025-06-18");
    }

    @Test
    void whoNamesVersionsThatNobodyKnowsHereIsNotSpokenTo() {
        assertThatThrownBy(
                        () -> open(
                                LONG,
                                server(
                                        Map.of(
                                                "server/discover",
                                                error(
                                                        "{\"code\":-32022,\"message\":\"x\",\"data\":{\"supported\":[\"2031-01-01\"]}}")))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("speaks MCP 2031-01-01 only")
                .hasMessageContaining("2026-07-28, 2025-11-25");
    }

    @Test
    void aNewServerThatRefusesIsNotTakenForAnOldOne() {
        assertThatThrownBy(() -> open(
                        LONG,
                        server(Map.of(
                                "server/discover",
                                request -> Optional.of(
                                        RpcErrorCode.MISSING_CAPABILITY.toResponse(request.id(), "needs roots")),
                                "initialize",
                                result(INITIALISED)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("needs roots");
    }

    @Test
    void whoLeavesTheQuestionUnansweredIsSpokenToInTheOldWay() throws Exception {
        McpClientSession session = open(SHORT, server(Map.of("initialize", result(INITIALISED))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(told).containsExactly("start", "server/discover", "initialize", "notifications/initialized");
    }

    @Test
    void aLateAnswerCountsWhereTheOldWayIsNotKnown() throws Exception {
        McpClientSession session = open(
                SHORT,
                new Server(
                        true,
                        Map.of(
                                "server/discover",
                                result(DISCOVERED),
                                "initialize",
                                error("{\"code\":-32022,\"message\":\"2026-07-28 only\"}"))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(told).containsExactly("start", "server/discover", "initialize");
    }

    @Test
    void whoSpeaksBothAndWasSlowIsStartedAgainAndSpokenToInTheNewest() throws Exception {
        McpClientSession session = open(
                SHORT,
                new Server(true, Map.of("server/discover", result(DISCOVERED), "initialize", result(INITIALISED))),
                server(Map.of("server/discover", result(DISCOVERED))));
        assertThat(session.version()).isEqualTo("2026-07-28");
        assertThat(told).containsExactly("start", "server/discover", "initialize", "end", "start", "server/discover");
    }

    @Test
    void whoEndsWhenAskedIsStartedAgainAndSpokenToInTheOldWay() throws Exception {
        McpClientSession session = open(
                LONG,
                server(Map.of("server/discover", request -> Optional.empty())),
                server(Map.of("initialize", result(INITIALISED))));
        assertThat(session.version()).isEqualTo("2025-06-18");
        assertThat(told)
                .containsExactly("start", "server/discover", "end", "start", "initialize", "notifications/initialized");
        assertThat(lost).isEmpty();
    }

    @Test
    void whoEndsHoweverTheyAreAskedIsNotSpokenTo() {
        assertThatThrownBy(() -> open(
                        LONG,
                        server(Map.of("server/discover", request -> Optional.empty())),
                        server(Map.of("initialize", request -> Optional.empty()))))
                .isInstanceOf(IOException.class)
                .hasMessage("the server ended with exit code 1");
        assertThat(told).endsWith("end");
    }
}
