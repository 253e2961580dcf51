package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a bridge to a server of MCP 2026-07-28. */
@SuppressWarnings("NullAway.Init") // initialized before each test
final class StatelessServerBridgeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String DECLARED = "\"_meta\":{\"" + PREFIX + "protocolVersion\":\"2025-00-00\",\"" + PREFIX
            + "clientInfo\":{\"name\":\"somebody\"},\"" + PREFIX + "logLevel\":\"info\",\"" + PREFIX
            + "other\":1,\"mine\": 1.0,\"" + PREFIX + "clientCapabilities\":{\"elicitation\":{},\"extensions\":{\""
            + PREFIX
            + "tasks\":{},\"x/y\":{}}}}";

    private final Server server = new Server();
    private final Hall hall = new Hall();
    private Bridge bridge;

    /** A server that describes itself, acknowledges listen requests, and leaves all other requests to the test. */
    private static final class Server implements McpTransport {
        final List<RpcMessage> told = new CopyOnWriteArrayList<>();
        volatile Runnable whileClosing = () -> {};
        private volatile @Nullable Receiver receiver;

        @Override
        public void open(Receiver to) {
            receiver = to;
        }

        @Override
        public void send(RpcMessage message) {
            told.add(message);
            if (message instanceof RpcMessage.Request request) {
                switch (request.method()) {
                    case "server/discover" ->
                        say(new RpcMessage.ResultResponse(
                                request.id(),
                                "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":"
                                        + "{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true}}}"));
                    case "subscriptions/listen" ->
                        notify(
                                request.id(),
                                "notifications/subscriptions/acknowledged",
                                ",\"notifications\":"
                                        + RawJsonEditor.at(request.params().orElse("{}"), "notifications")
                                                .orElse("{}"));
                    case "tools/list" -> say(new RpcMessage.ResultResponse(request.id(), "{\"tools\":[]}"));
                    case "resources/list" -> say(new RpcMessage.ResultResponse(request.id(), "{\"resources\":[]}"));
                    case "resources/templates/list" ->
                        say(new RpcMessage.ResultResponse(request.id(), "{\"resourceTemplates\":[]}"));
                    default -> {}
                }
            }
        }

        void notify(String subscription, String method, String more) {
            say(new RpcMessage.Notification(
                    method,
                    Optional.of("{\"_meta\":{\"" + PREFIX + "subscriptionId\":" + subscription + "}" + more + "}")));
        }

        void say(RpcMessage message) {
            Receiver to = receiver;
            if (to != null) {
                to.onMessage(message);
            }
        }

        List<RpcMessage.Request> asked(String method) {
            return told.stream()
                    .filter(RpcMessage.Request.class::isInstance)
                    .map(RpcMessage.Request.class::cast)
                    .filter(each -> each.method().equals(method))
                    .toList();
        }

        RpcMessage.Request nth(String method, int which) {
            await().atMost(PATIENCE).until(() -> asked(method).size() >= which);
            return asked(method).get(which - 1);
        }

        @Override
        public void close() {
            whileClosing.run();
        }
    }

    /** A topic that records the envelopes sent to it. */
    private static final class Hall implements TopicConnector {
        final List<Json> said = new CopyOnWriteArrayList<>();
        private volatile @Nullable TopicListener topicListener;
        volatile boolean ours = true;
        volatile Consumer<TopicRequest> unanswered = topicRequest -> {};

        @Override
        public boolean isOwner() {
            return ours;
        }

        @Override
        public void findUnanswered(Consumer<TopicRequest> found) {
            unanswered = found;
        }

        @Override
        public TopicSession join(TopicListener here) {
            topicListener = here;
            return new TopicSession() {
                private volatile boolean left;

                @Override
                public void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> failed) {
                    if (!left) {
                        said.add(Json.parse(new String(envelope, StandardCharsets.UTF_8))
                                .orElseThrow());
                    }
                }

                @Override
                public void close() {
                    left = true;
                }
            };
        }

        void ask(String id, String method, String params, String more) {
            TopicListener to = topicListener;
            if (to != null) {
                to.onEnvelope(("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                                + "\",\"from\":\"alice\",\"ts\":\"2026-01-05T10:00:00Z\",\"to\":[\"files\"]," + more
                                + "\"kind\":\"mcp.request." + method + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\""
                                + id
                                + "\",\"method\":\"" + method + "\",\"params\":" + params + "}}")
                        .getBytes(StandardCharsets.UTF_8));
            }
        }

        Json answer(String id) {
            await().atMost(PATIENCE).until(() -> find(id).isPresent());
            return find(id).orElseThrow();
        }

        private Optional<Json> find(String id) {
            return said.stream()
                    .map(each -> each.at("payload"))
                    .filter(each -> each.at("id").text().equals(id))
                    .findFirst();
        }

        long count(String method) {
            return said.stream()
                    .filter(each -> each.at("payload").at("method").text().equals(method))
                    .count();
        }
    }

    @BeforeEach
    void start() {
        bridge = new Bridge(
                "files",
                "ops",
                () -> server,
                hall,
                new McpClientSession.ClientInfo("gavel", "1"),
                EnvelopeLimits.DEFAULT,
                RestartPolicy.NEVER);
        bridge.start();
        await().atMost(PATIENCE).until(() -> hall.count("notifications/tools/list_changed") == 1);
    }

    @AfterEach
    void stop() {
        bridge.close();
    }

    private static String params(RpcMessage.Request request) {
        return request.params().orElse("");
    }

    private static Json meta(RpcMessage.Request request, String name) {
        return Json.parse(params(request)).orElseThrow().at("_meta").at(PREFIX + name);
    }

    @Test
    void whoeverHasBeenSucceededRunsNothingAndAnswersNothing() {
        hall.ours = false;
        hall.ask("r1", "tools/call", "{\"name\":\"x\"}", "");
        hall.ask("r2", "tools/list", "{}", "");
        hall.answer("r2");
        assertThat(server.asked("tools/call")).isEmpty();
        assertThat(hall.find("r1")).isEmpty();
        hall.ours = true;
        hall.ask("r3", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
    }

    @Test
    void oneThatIsClosedAnswersWhatRunsWithDoubtAndWhatComesThatItIsNotRun() {
        hall.ask("r1", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
        server.whileClosing = () -> hall.ask("r2", "tools/call", "{\"name\":\"x\"}", "");
        bridge.close();
        assertThat(hall.find("r1").orElseThrow().at("error").raw())
                .contains("-31000", "whether the call ran is not known");
        assertThat(hall.find("r2").orElseThrow().at("error").raw()).contains("-31000", "was not run");
        assertThat(server.asked("tools/call")).hasSize(1);
    }

    @Test
    void oneThatWasSucceededWhileItClosesLeavesWhatComesToItsSuccessor() {
        server.whileClosing = () -> {
            hall.ours = false;
            hall.ask("r1", "tools/call", "{\"name\":\"x\"}", "");
        };
        bridge.close();
        assertThat(hall.find("r1")).isEmpty();
        assertThat(server.asked("tools/call")).isEmpty();
    }

    @Test
    void whatWasAskedOfItsPredecessorIsAnsweredWithDoubtUnlessItRunsHere() {
        hall.ask("r1", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
        for (String each : List.of("r1", "r0")) {
            hall.unanswered.accept(new TopicRequest(
                    each,
                    "alice",
                    Kind.of("mcp.request.tools/call:x"),
                    "\"" + each + "\"",
                    Optional.empty(),
                    Optional.of("p-1"),
                    10));
        }
        assertThat(hall.find("r0").orElseThrow().at("error").raw()).contains("-31000", "not known");
        assertThat(hall.find("r1")).isEmpty();
    }

    @Test
    void itsVersionIsKnown() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(bridge.status().version()).contains("2026-07-28"));
    }

    @Test
    void whatWhoAsksCouldBeAskedForIsPassedOnWithoutTasksAndTheRestIsOurs() {
        hall.ask("r1", "tools/call", "{\"name\":\"x\"," + DECLARED + ",\"requestState\":\"s\"}", "");
        assertThat(params(server.nth("tools/call", 1)))
                .isEqualTo(
                        "{\"name\":\"x\",\"_meta\":{\"" + PREFIX + "protocolVersion\":\"2026-07-28\",\"" + PREFIX
                                + "clientInfo\":{\"name\":\"gavel\",\"version\":\"1\"},\"" + PREFIX
                                + "logLevel\":\"info\",\"mine\":1.0,\"" + PREFIX
                                + "clientCapabilities\":{\"elicitation\":{},\"extensions\":{\"x/y\":{}}}},\"requestState\":\"s\"}");
    }

    @Test
    void whoFulfilsAProposalCouldBeAskedForNothing() {
        hall.ask("f1", "tools/call", "{\"name\":\"x\"," + DECLARED + "}", "\"correlationId\":\"p1\",");
        RpcMessage.Request request = server.nth("tools/call", 1);
        assertThat(meta(request, "clientCapabilities").raw()).isEqualTo("{}");
        assertThat(meta(request, "logLevel").isPresent()).isFalse();
        assertThat(meta(request, "protocolVersion").text()).isEqualTo("2026-07-28");
    }

    @Test
    void aResultThatWantsMoreGoesBackToWhoSaidTheyCouldGiveIt() {
        String result =
                "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"elicitation/create\"}}}";
        hall.ask("r1", "tools/call", "{\"name\":\"x\"," + DECLARED + "}", "");
        server.say(new RpcMessage.ResultResponse(server.nth("tools/call", 1).id(), result));
        assertThat(hall.answer("r1").at("result").raw()).isEqualTo(result);

        hall.ask("r2", "tools/call", "{\"name\":\"x\"}", "");
        server.say(new RpcMessage.ResultResponse(server.nth("tools/call", 2).id(), result));
        assertThat(hall.answer("r2").at("error").at("code").asLong(0)).isEqualTo(-32021);
        assertThat(hall.answer("r2").at("error").at("message").text()).contains("elicitation/create");
    }

    @Test
    void whoOnlyWantsToBeAskedAgainIsAskedAgainWithWhatTheySaid() {
        hall.ask("r1", "tools/call", "{\"name\":\"x\",\"_meta\":{\"progressToken\":\"t\"}}", "");
        for (int round = 1; round <= 2; round++) {
            server.say(new RpcMessage.ResultResponse(
                    server.nth("tools/call", round).id(),
                    "{\"resultType\":\"input_required\",\"requestState\":\"s\\u0074" + round + "\"}"));
        }
        RpcMessage.Request third = server.nth("tools/call", 3);
        assertThat(params(third)).contains("\"requestState\":\"s\\u00742\"");
        server.say(new RpcMessage.Notification(
                "notifications/progress", Optional.of("{\"progressToken\":" + third.id() + ",\"progress\":1}")));
        server.say(new RpcMessage.ResultResponse(third.id(), "{\"resultType\":\"complete\",\"content\":[]}"));
        assertThat(hall.answer("r1").at("result").raw()).isEqualTo("{\"resultType\":\"complete\",\"content\":[]}");
        assertThat(hall.count("notifications/progress")).isEqualTo(1);
    }

    @Test
    void whatNobodyHereCouldReadIsAnErrorWhoeverAsked() {
        hall.ask("r1", "tools/call", "{\"name\":\"x\"," + DECLARED + "}", "");
        server.say(new RpcMessage.ResultResponse(server.nth("tools/call", 1).id(), "[]"));
        assertThat(hall.answer("r1").at("error").at("message").text()).contains("no object");

        hall.ask("f1", "tools/call", "{\"name\":\"x\"," + DECLARED + "}", "\"correlationId\":\"p1\",");
        server.say(new RpcMessage.ResultResponse(
                server.nth("tools/call", 2).id(), "{\"resultType\":\"task\",\"taskId\":\"t\"}"));
        assertThat(hall.answer("f1").at("error").at("message").text()).contains("made a task of it");
    }

    @Test
    void whatTheVersionHasNotAnyMoreIsAnsweredHere() {
        hall.ask("r1", "ping", "{}", "");
        assertThat(hall.answer("r1").at("result").raw()).isEqualTo("{}");
        hall.ask("r2", "logging/setLevel", "{\"level\":\"info\"}", "");
        assertThat(hall.answer("r2").at("error").at("message").text()).contains("logLevel");
        assertThat(server.asked("ping")).isEmpty();
    }

    @Test
    void aSubscriptionOpensAnotherListenBeforeTheFirstIsClosed() {
        RpcMessage.Request first = server.nth("subscriptions/listen", 1);
        assertThat(params(first)).contains("\"notifications\":{\"toolsListChanged\":true}");

        hall.ask("r1", "resources/subscribe", "{\"uri\":\"a:b\"}", "");
        assertThat(hall.answer("r1").at("result").raw()).isEqualTo("{}");
        RpcMessage.Request second = server.nth("subscriptions/listen", 2);
        assertThat(params(second))
                .contains("\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]}");
        RpcMessage cancelled = new RpcMessage.Notification(
                "notifications/cancelled", Optional.of("{\"requestId\":" + first.id() + "}"));
        await().atMost(PATIENCE).until(() -> server.told.contains(cancelled));
        assertThat(server.told.indexOf(cancelled)).isGreaterThan(server.told.indexOf(second));

        server.notify(second.id(), "notifications/resources/updated", ",\"uri\":\"a:b\"");
        await().atMost(PATIENCE).until(() -> hall.count("notifications/resources/updated") == 1);
        assertThat(hall.said.getLast().at("payload").at("params").raw()).isEqualTo("{\"uri\":\"a:b\"}");

        hall.ask("r2", "resources/unsubscribe", "{\"uri\":\"a:b\"}", "");
        assertThat(hall.answer("r2").at("result").raw()).isEqualTo("{}");
        assertThat(params(server.nth("subscriptions/listen", 3))).doesNotContain("a:b");
    }

    @Test
    void aListenThatBreaksIsTakenUpAndWhatMayHaveBeenMissedCountsAsChanged() {
        hall.ask("r1", "resources/subscribe", "{\"uri\":\"a:b\"}", "");
        hall.answer("r1");
        RpcMessage.Request listen = server.nth("subscriptions/listen", 2);
        int lists = server.asked("tools/list").size();

        server.say(new RpcMessage.ErrorResponse(listen.id(), "{\"code\":-32000,\"message\":\"broke\"}"));

        server.nth("subscriptions/listen", 3);
        await().atMost(PATIENCE).until(() -> hall.count("notifications/tools/list_changed") == 2);
        await().atMost(PATIENCE).until(() -> hall.count("notifications/resources/updated") == 1);
        server.nth("tools/list", lists + 1);
    }

    @Test
    void aListThatChangesIsFetchedAgain() throws IOException {
        server.notify(server.nth("subscriptions/listen", 1).id(), "notifications/tools/list_changed", "");
        server.nth("tools/list", 2);
        await().atMost(PATIENCE).until(() -> hall.count("notifications/tools/list_changed") == 2);
        assertThat(hall.said.getLast().raw()).doesNotContain("subscriptionId");
    }
}
