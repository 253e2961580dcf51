package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests requests for input of a bridged server of MCP 2025-11-25. */
@SuppressWarnings("NullAway.Init") // initialized before each test
final class ServerInputRequestsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String QUESTION = "{\"message\":\"Which colour?\",\"requestedSchema\":{\"type\":\"object\"}}";
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"n\": 1.0}}";

    private final Server server = new Server();
    private final RecordingConnector connector = new RecordingConnector();
    private Bridge bridge;

    /** A server that describes itself and leaves all calls to the test. */
    private static final class Server implements McpTransport {
        final List<RpcMessage> received = new CopyOnWriteArrayList<>();
        private volatile @Nullable Receiver receiver;

        @Override
        public void open(Receiver to) {
            receiver = to;
        }

        @Override
        public void send(RpcMessage message) {
            received.add(message);
            if (message instanceof RpcMessage.Request request) {
                switch (request.method()) {
                    case "server/discover" ->
                        deliver(RpcErrorCode.METHOD_NOT_FOUND.toResponse(request.id(), "not here"));
                    case "initialize" ->
                        deliver(new RpcMessage.ResultResponse(
                                request.id(), "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}"));
                    case "tools/list" -> deliver(new RpcMessage.ResultResponse(request.id(), "{\"tools\":[]}"));
                    default -> {}
                }
            }
        }

        void deliver(RpcMessage message) {
            Receiver to = receiver;
            if (to != null) {
                to.onMessage(message);
            }
        }

        void deliver(RpcMessage.Request request, String relatedRequest) {
            Receiver to = receiver;
            if (to != null) {
                to.onRequest(request, Optional.of(relatedRequest));
            }
        }

        List<RpcMessage.Request> calls() {
            return received.stream()
                    .filter(each -> each instanceof RpcMessage.Request request
                            && request.method().equals("tools/call"))
                    .map(RpcMessage.Request.class::cast)
                    .toList();
        }

        RpcMessage.Request call(int count) {
            await().atMost(TIMEOUT).until(() -> calls().size() >= count);
            return calls().get(count - 1);
        }

        /** The response to one of the server's own requests. */
        RpcMessage.Response answer(String id) {
            await().atMost(TIMEOUT).until(() -> findAnswer(id).isPresent());
            return findAnswer(id).orElseThrow();
        }

        private Optional<RpcMessage.Response> findAnswer(String id) {
            return received.stream()
                    .filter(each -> each instanceof RpcMessage.Response response
                            && response.id().equals(id))
                    .map(RpcMessage.Response.class::cast)
                    .findFirst();
        }

        String errorAfter(String id) {
            return answer(id) instanceof RpcMessage.ErrorResponse error ? error.code() + " " + error.message() : "none";
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() {
        bridge = new Bridge(
                "files",
                "ops",
                () -> server,
                connector,
                new McpClientSession.ClientInfo("gavel", "1"),
                EnvelopeLimits.DEFAULT,
                RestartPolicy.NEVER);
        bridge.start();
        await().atMost(TIMEOUT).until(() -> connector.count("notifications/tools/list_changed") == 1);
    }

    @AfterEach
    void stop() {
        bridge.close();
    }

    private static RpcMessage.Request elicitation(String id) {
        return new RpcMessage.Request(id, "elicitation/create", Optional.of(QUESTION));
    }

    private static String params(String capabilities, String more) {
        return "{\"name\":\"x\",\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "}" + more
                + "}";
    }

    private void call(String id) {
        connector.sendRequest(id, "tools/call", params("{\"elicitation\":{}}", ""), "");
    }

    private void repeat(String member, String id, String state, String answers) {
        connector.sendRequestOf(
                member,
                id,
                "tools/call",
                params("{\"elicitation\":{}}", ",\"requestState\":\"" + state + "\",\"inputResponses\":" + answers),
                "");
    }

    private static String state(Json response) {
        return response.at("result").at("requestState").text();
    }

    private void result(RpcMessage.Request call) {
        server.deliver(new RpcMessage.ResultResponse(call.id(), "{\"content\":[]}"));
    }

    @Test
    void aRequestGoesToTheCallerAndItsAnswerToTheServer() {
        call("r1");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));

        Json asked = connector.response("r1").at("result");
        assertThat(asked.at("resultType").text()).isEqualTo("input_required");
        assertThat(asked.at("inputRequests").raw())
                .isEqualTo("{\"input-1\":{\"method\":\"elicitation/create\",\"params\":" + QUESTION + "}}");

        repeat("alice", "r2", state(connector.response("r1")), "{\"input-1\":" + ANSWER + "}");
        assertThat(server.answer("77")).isEqualTo(new RpcMessage.ResultResponse("77", ANSWER));
        assertThat(server.calls()).hasSize(1);

        result(call);
        assertThat(connector.response("r2").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void aServerCanAskSeveralTimes() {
        call("r1");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        String first = state(connector.response("r1"));
        server.deliver(elicitation("78"));
        repeat("alice", "r2", first, "{\"input-1\":" + ANSWER + "}");
        Json asked = connector.response("r2");
        assertThat(asked.at("result").at("inputRequests").members()).containsOnlyKeys("input-2");
        assertThat(state(asked)).isNotEqualTo(first);

        repeat("alice", "r3", state(asked), "{\"input-2\":" + ANSWER + "}");
        server.answer("78");
        result(call);
        assertThat(connector.response("r3").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void theServerLearnsThatTheCallerDidNotAnswer() {
        call("r1");
        server.call(1);
        server.deliver(elicitation("77"));
        repeat("alice", "r2", state(connector.response("r1")), "{}");
        assertThat(server.errorAfter("77")).contains("did not answer");
    }

    @Test
    void aResultThatArrivesBeforeTheAnswerIsDelivered() {
        call("r1");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        String state = state(connector.response("r1"));
        result(call);
        repeat("alice", "r2", state, "{\"input-1\":" + ANSWER + "}");
        assertThat(connector.response("r2").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void anotherMemberCannotAnswer() {
        call("r1");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        String state = state(connector.response("r1"));
        repeat("mallory", "m1", state, "{\"input-1\":" + ANSWER + "}");
        assertThat(connector.response("m1").at("error").at("message").text()).contains("does not wait for this input");
        assertThat(server.findAnswer("77")).isEmpty();
        assertThat(server.calls()).hasSize(1);

        repeat("alice", "r2", state, "{\"input-1\":" + ANSWER + "}");
        result(call);
        connector.response("r2");
    }

    @ParameterizedTest(name = "{0} of a caller with {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "elicitation/create     | {}                        | {}",
                "elicitation/create     | {\"sampling\":{}}         | {}",
                "elicitation/create     | {\"elicitation\":{}}      | {\"mode\":\"url\"}",
                "sampling/createMessage | {\"elicitation\":{}}      | {}",
                "roots/list             | {\"sampling\":{}}         | {}",
                "tasks/get              | {\"tasks\":{}}            | {}",
            })
    void theServerGetsAnErrorIfTheCallerDoesNotSupportTheRequest(String method, String capabilities, String params) {
        connector.sendRequest("r1", "tools/call", params(capabilities, ""), "");
        server.call(1);
        server.deliver(new RpcMessage.Request("77", method, Optional.of(params)));
        assertThat(server.errorAfter("77")).startsWith("-32601 ");
        assertThat(connector.find("r1")).isEmpty();
    }

    @Test
    void aCallThatAnotherMemberApprovedAsksNothing() {
        connector.sendRequest("r1", "tools/call", params("{\"elicitation\":{}}", ""), "\"correlationId\":\"p-1\",");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        assertThat(server.errorAfter("77")).startsWith("-32601 ").contains("approved");
        result(call);
        assertThat(connector.response("r1").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void aRequestOutsideOfACallIsRefused() {
        server.deliver(new RpcMessage.Request("77", "roots/list", Optional.empty()));
        assertThat(server.errorAfter("77")).startsWith("-32601 ");
    }

    @Test
    void aRequestThatMayBelongToAnotherMembersCallIsRefused() {
        call("r1");
        connector.sendRequestOf("bob", "r2", "tools/call", params("{\"elicitation\":{}}", ""), "");
        server.call(2);
        server.deliver(elicitation("77"));
        assertThat(server.errorAfter("77")).startsWith("-32601 ");

        connector.sendRequestOf("bob", "c1", "notifications/cancelled", "{\"requestId\":\"r2\"}", "");
        connector.response("r2");
        server.deliver(elicitation("78"));
        assertThat(server.errorAfter("78")).startsWith("-32601 ");
    }

    @Test
    void theTransportCanTellWhichCallARequestBelongsTo() {
        call("r1");
        RpcMessage.Request first = server.call(1);
        call("r2");
        server.call(2);
        server.deliver(elicitation("77"), first.id());
        assertThat(connector.response("r1").at("result").at("resultType").text())
                .isEqualTo("input_required");
        assertThat(connector.find("r2")).isEmpty();
    }

    @Test
    void cancellingACallThatWaitsForInputReachesTheServer() {
        call("r1");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        connector.response("r1");
        connector.sendRequest("c1", "notifications/cancelled", "{\"requestId\":\"r1\"}", "");
        assertThat(server.errorAfter("77")).contains("cancelled");
        await().atMost(TIMEOUT)
                .until(() -> server.received.stream()
                        .anyMatch(each -> each instanceof RpcMessage.Notification notification
                                && notification.method().equals("notifications/cancelled")
                                && notification.params().orElse("").contains("\"requestId\":" + call.id())));
    }

    @Test
    void aRequestForACancelledCallDoesNotGoToAnotherMember() {
        callOf("bob", "b1");
        server.call(1);
        server.deliver(elicitation("77"));
        connector.response("b1");
        connector.sendRequestOf("bob", "c1", "notifications/cancelled", "{\"requestId\":\"b1\"}", "");
        server.answer("77");

        call("r1");
        server.call(2);
        server.deliver(elicitation("78"));
        assertThat(server.errorAfter("78")).startsWith("-32601 ");
        assertThat(connector.find("r1")).isEmpty();
    }

    private void callOf(String member, String id) {
        connector.sendRequestOf(member, id, "tools/call", params("{\"elicitation\":{}}", ""), "");
    }

    @Test
    void theServerMayAskAgainAboutTheMembersOwnCalls() {
        call("r1");
        server.call(1);
        server.deliver(elicitation("77"));
        connector.response("r1");
        connector.sendRequest("c1", "notifications/cancelled", "{\"requestId\":\"r1\"}", "");
        server.answer("77");

        call("r2");
        server.call(2);
        server.deliver(elicitation("78"));
        assertThat(connector.response("r2").at("result").at("resultType").text())
                .isEqualTo("input_required");
    }

    @Test
    void aCallContinuesOnlyWithItsOwnArguments() {
        call("r1", "\"arguments\":{\"path\":\"a\",\"depth\":1}");
        RpcMessage.Request call = server.call(1);
        server.deliver(elicitation("77"));
        String input = ",\"requestState\":\"" + state(connector.response("r1")) + "\",\"inputResponses\":{\"input-1\":"
                + ANSWER + "}";

        call("r2", "\"arguments\":{\"path\":\"b\",\"depth\":1}" + input);
        assertThat(connector.response("r2").at("error").at("message").text()).contains("other arguments");
        assertThat(server.findAnswer("77")).isEmpty();

        call("r3", "\"arguments\": {\"depth\": 1, \"path\": \"a\"}" + input);
        assertThat(server.answer("77")).isEqualTo(new RpcMessage.ResultResponse("77", ANSWER));
        result(call);
        assertThat(connector.response("r3").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    private void call(String id, String arguments) {
        connector.sendRequest(id, "tools/call", params("{\"elicitation\":{}}", "," + arguments), "");
    }

    @Test
    void theRequestsOfOneMembersCallsAreBoundedInTotal() {
        Optional<String> large = Optional.of("{\"message\":\"" + "x".repeat(500 * 1024) + "\"}");
        for (int i = 0; i < 4; i++) {
            call("r" + i);
        }
        server.call(4);
        for (int i = 0; i < 80; i++) {
            server.deliver(
                    new RpcMessage.Request("9" + i, "elicitation/create", large),
                    server.calls().get(i / 20).id());
        }
        assertThat(server.errorAfter("979")).startsWith("-32601 ").contains("too large in total");

        callOf("bob", "b1");
        server.deliver(elicitation("77"), server.call(5).id());
        connector.response("b1");
    }

    @Test
    void anAnswerWithoutRoomIsReplacedByAnError() {
        String large = "{\"text\":\"" + "x".repeat(12 * 1024 * 1024) + "\"}";
        for (int i = 0; i < 4; i++) {
            call("r" + i);
            server.deliver(elicitation("7" + i), server.call(i + 1).id());
            connector.response("r" + i);
        }
        server.calls().forEach(each -> server.deliver(new RpcMessage.ResultResponse(each.id(), large)));
        repeat("alice", "last", state(connector.response("r3")), "{\"input-1\":" + ANSWER + "}");
        assertThat(connector.response("last").at("error").at("code").raw()).isEqualTo("-31004");

        repeat("alice", "first", state(connector.response("r0")), "{\"input-1\":" + ANSWER + "}");
        assertThat(connector.response("first").at("result").at("text").text()).hasSize(12 * 1024 * 1024);
    }

    /** Tests with a session of their own, so that the test decides when calls expire. */
    @Nested
    class Expiry {
        private final Server ownServer = new Server();
        private final BridgePublisher publisher = new BridgePublisher(
                "files", new EnvelopeReader(EnvelopeLimits.DEFAULT), new UndeliveredMessageRecorder("files"));
        private McpClientSession session;

        @BeforeEach
        void open() throws Exception {
            session = McpClientSession.open(
                    () -> ownServer,
                    new McpClientSession.SessionListener() {
                        @Override
                        public void onNotification(RpcMessage.Notification notification) {}

                        @Override
                        public void onClose(String reason) {}
                    },
                    new McpClientSession.ClientInfo("gavel", "1"),
                    TIMEOUT);
        }

        @AfterEach
        void close() {
            session.close();
        }

        private TopicRequest request(String member, String id) {
            return new TopicRequest(
                    id,
                    member,
                    Kind.of("mcp.request.tools/call:x"),
                    "\"" + id + "\"",
                    Optional.of(params("{\"elicitation\":{}}", "")),
                    Optional.empty(),
                    List.of(),
                    200);
        }

        @Test
        void aRequestForACallThatWaitedTooLongForInputDoesNotGoToAnotherMember() {
            InFlightRequests inFlight = new InFlightRequests();
            ServerInputRequests inputs =
                    new ServerInputRequests("files", session, inFlight, new CancelledRequests(), publisher);
            inFlight.add("50", request("bob", "b1"));
            inputs.onServerRequest(elicitation("77"), Optional.empty());
            assertThat(inputs.expire(Duration.ZERO)).containsExactly("50");
            assertThat(ownServer.errorAfter("77")).contains("in time");

            inFlight.add("51", request("alice", "r1"));
            inputs.onServerRequest(elicitation("78"), Optional.empty());
            assertThat(ownServer.errorAfter("78")).startsWith("-32601 ");
            assertThat(inFlight.get("51")).isPresent();
        }

        @Test
        void aRequestForACallWithoutAnswerDoesNotGoToAnotherMember() {
            ParticipantRequestForwarder forwarder = new ParticipantRequestForwarder(
                    "files", "ops", session, publisher, new ProposalProposerCache(), () -> true);
            forward(forwarder, request("bob", "b1"));
            ownServer.call(1);
            forwarder.expireSilent(Duration.ZERO);

            forward(forwarder, request("alice", "r1"));
            ownServer.call(2);
            forwarder.onServerRequest(elicitation("77"), Optional.empty());
            assertThat(ownServer.errorAfter("77")).startsWith("-32601 ");
        }

        private static void forward(ParticipantRequestForwarder forwarder, TopicRequest request) {
            forwarder.forward(
                    request,
                    CompletableFuture.completedFuture(Optional.empty()),
                    CompletableFuture.completedFuture(false));
        }
    }
}
