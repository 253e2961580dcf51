package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a bridge to a server of MCP 2026-07-28. */
@SuppressWarnings("NullAway.Init") // initialized before each test
final class StatelessServerBridgeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String CLIENT_META = "\"_meta\":{\"" + PREFIX + "protocolVersion\":\"2025-00-00\",\"" + PREFIX
            + "clientInfo\":{\"name\":\"somebody\"},\"" + PREFIX + "logLevel\":\"info\",\"" + PREFIX
            + "other\":1,\"mine\": 1.0,\"" + PREFIX + "clientCapabilities\":{\"elicitation\":{},\"extensions\":{\""
            + PREFIX
            + "tasks\":{},\"x/y\":{}}}}";

    private final Server server = new Server();
    private final RecordingConnector connector = new RecordingConnector();
    private Bridge bridge;

    /** A server that describes itself, acknowledges listen requests, and leaves all other requests to the test. */
    private static final class Server implements McpTransport {
        final List<RpcMessage> received = new CopyOnWriteArrayList<>();
        volatile Runnable onCloseAction = () -> {};
        volatile boolean holdsToolLists;
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
                        deliver(new RpcMessage.ResultResponse(
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
                    case "tools/list" -> {
                        if (!holdsToolLists) {
                            deliver(new RpcMessage.ResultResponse(request.id(), "{\"tools\":[]}"));
                        }
                    }
                    case "resources/list" -> deliver(new RpcMessage.ResultResponse(request.id(), "{\"resources\":[]}"));
                    case "resources/templates/list" ->
                        deliver(new RpcMessage.ResultResponse(request.id(), "{\"resourceTemplates\":[]}"));
                    default -> {}
                }
            }
        }

        void notify(String subscription, String method, String more) {
            deliver(new RpcMessage.Notification(
                    method,
                    Optional.of("{\"_meta\":{\"" + PREFIX + "subscriptionId\":" + subscription + "}" + more + "}")));
        }

        void deliver(RpcMessage message) {
            Receiver to = receiver;
            if (to != null) {
                to.onMessage(message);
            }
        }

        List<RpcMessage.Request> requests(String method) {
            return received.stream()
                    .filter(RpcMessage.Request.class::isInstance)
                    .map(RpcMessage.Request.class::cast)
                    .filter(each -> each.method().equals(method))
                    .toList();
        }

        RpcMessage.Request nth(String method, int count) {
            await().atMost(TIMEOUT).until(() -> requests(method).size() >= count);
            return requests(method).get(count - 1);
        }

        @Override
        public void close() {
            onCloseAction.run();
        }
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

    private static String params(RpcMessage.Request request) {
        return request.params().orElse("");
    }

    private static Json meta(RpcMessage.Request request, String name) {
        return Json.parse(params(request)).orElseThrow().at("_meta").at(PREFIX + name);
    }

    @Test
    void nonOwnerNeitherRunsNorResponds() {
        connector.owner = false;
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"}", "");
        connector.sendRequest("r2", "tools/list", "{}", "");
        connector.response("r2");
        assertThat(server.requests("tools/call")).isEmpty();
        assertThat(connector.find("r1")).isEmpty();
        connector.owner = true;
        connector.sendRequest("r3", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
    }

    @Test
    void closeFailsRunningAndNewCalls() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
        server.onCloseAction = () -> connector.sendRequest("r2", "tools/call", "{\"name\":\"x\"}", "");
        bridge.close();
        assertThat(connector.find("r1").orElseThrow().at("error").raw())
                .contains("-31000", "It is not known whether the call ran.");
        assertThat(connector.find("r2").orElseThrow().at("error").raw()).contains("-31000", "The call has not run.");
        assertThat(server.requests("tools/call")).hasSize(1);
    }

    @Test
    void closingNonOwnerDoesNotRespond() {
        server.onCloseAction = () -> {
            connector.owner = false;
            connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"}", "");
        };
        bridge.close();
        assertThat(connector.find("r1")).isEmpty();
        assertThat(server.requests("tools/call")).isEmpty();
    }

    @Test
    void cancellationDuringTheDefinitionCheckPreventsTheCall() {
        String entry = "{\"name\":\"x\"}";
        String approval = "\"correlationId\":\"p-1\",\"definition\":\""
                + ToolDefinition.of("files", "x", Json.parse(entry).orElseThrow())
                        .digest()
                + "\",";
        int lists = server.requests("tools/list").size();
        server.holdsToolLists = true;
        server.notify(server.nth("subscriptions/listen", 1).id(), "notifications/tools/list_changed", "");
        RpcMessage.Request list = server.nth("tools/list", lists + 1);
        connector.sendRequest("r1", "tools/call", entry, approval);
        connector.sendRequest("r2", "tools/call", entry, approval);
        connector.sendRequest("c1", "notifications/cancelled", "{\"requestId\":\"r1\"}", "");
        assertThat(connector.response("r1").at("error").raw()).contains("-32800");
        assertThat(server.requests("tools/call")).isEmpty();

        server.deliver(new RpcMessage.ResultResponse(list.id(), "{\"tools\":[" + entry + "]}"));

        RpcMessage.Request call = server.nth("tools/call", 1);
        server.deliver(new RpcMessage.ResultResponse(call.id(), "{\"resultType\":\"complete\",\"content\":[]}"));
        assertThat(connector.response("r2").at("result").isPresent()).isTrue();
        assertThat(server.requests("tools/call")).containsExactly(call);
        assertThat(server.received)
                .noneMatch(each -> each instanceof RpcMessage.Notification notification
                        && notification.method().equals("notifications/cancelled"));
    }

    @Test
    void failsAbandonedRequestsOfEarlierProcess() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"}", "");
        server.nth("tools/call", 1);
        for (String each : List.of("r1", "r0")) {
            connector.onUnanswered.accept(new TopicRequest(
                    each,
                    "alice",
                    Kind.of("mcp.request.tools/call:x"),
                    "\"" + each + "\"",
                    Optional.empty(),
                    Optional.of("p-1"),
                    List.of(),
                    10));
        }
        assertThat(connector.find("r0").orElseThrow().at("error").raw()).contains("-31000", "not known");
        assertThat(connector.find("r1")).isEmpty();
    }

    @Test
    void reportsNegotiatedVersion() {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(bridge.status().version()).contains("2026-07-28"));
    }

    @Test
    void forwardsCapabilitiesWithoutTasks() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"," + CLIENT_META + ",\"requestState\":\"s\"}", "");
        assertThat(params(server.nth("tools/call", 1)))
                .isEqualTo(
                        "{\"name\":\"x\",\"_meta\":{\"" + PREFIX + "protocolVersion\":\"2026-07-28\",\"" + PREFIX
                                + "clientInfo\":{\"name\":\"gavel\",\"version\":\"1\"},\"" + PREFIX
                                + "logLevel\":\"info\",\"mine\":1.0,\"" + PREFIX
                                + "clientCapabilities\":{\"elicitation\":{},\"extensions\":{\"x/y\":{}}}},\"requestState\":\"s\"}");
    }

    @Test
    void fulfilmentDeclaresNoCapabilities() {
        connector.sendRequest("f1", "tools/call", "{\"name\":\"x\"," + CLIENT_META + "}", "\"correlationId\":\"p1\",");
        RpcMessage.Request request = server.nth("tools/call", 1);
        assertThat(meta(request, "clientCapabilities").raw()).isEqualTo("{}");
        assertThat(meta(request, "logLevel").isPresent()).isFalse();
        assertThat(meta(request, "protocolVersion").text()).isEqualTo("2026-07-28");
    }

    @Test
    void inputRequiredResultReachesCapableClient() {
        String result =
                "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"elicitation/create\"}}}";
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"," + CLIENT_META + "}", "");
        server.deliver(new RpcMessage.ResultResponse(server.nth("tools/call", 1).id(), result));
        assertThat(connector.response("r1").at("result").raw()).isEqualTo(result);

        connector.sendRequest("r2", "tools/call", "{\"name\":\"x\"}", "");
        server.deliver(new RpcMessage.ResultResponse(server.nth("tools/call", 2).id(), result));
        assertThat(connector.response("r2").at("error").at("code").asLong(0)).isEqualTo(-32021);
        assertThat(connector.response("r2").at("error").at("message").text()).contains("elicitation/create");
    }

    @Test
    void retriesWithRequestState() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\",\"_meta\":{\"progressToken\":\"t\"}}", "");
        for (int round = 1; round <= 2; round++) {
            server.deliver(new RpcMessage.ResultResponse(
                    server.nth("tools/call", round).id(),
                    "{\"resultType\":\"input_required\",\"requestState\":\"s\\u0074" + round + "\"}"));
        }
        RpcMessage.Request third = server.nth("tools/call", 3);
        assertThat(params(third)).contains("\"requestState\":\"s\\u00742\"");
        server.deliver(new RpcMessage.Notification(
                "notifications/progress", Optional.of("{\"progressToken\":" + third.id() + ",\"progress\":1}")));
        server.deliver(new RpcMessage.ResultResponse(third.id(), "{\"resultType\":\"complete\",\"content\":[]}"));
        assertThat(connector.response("r1").at("result").raw())
                .isEqualTo("{\"resultType\":\"complete\",\"content\":[]}");
        assertThat(connector.count("notifications/progress")).isEqualTo(1);
    }

    @Test
    void refusesUnreadableResults() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"x\"," + CLIENT_META + "}", "");
        server.deliver(new RpcMessage.ResultResponse(server.nth("tools/call", 1).id(), "[]"));
        assertThat(connector.response("r1").at("error").at("message").text()).contains("not a JSON object");

        connector.sendRequest("f1", "tools/call", "{\"name\":\"x\"," + CLIENT_META + "}", "\"correlationId\":\"p1\",");
        server.deliver(new RpcMessage.ResultResponse(
                server.nth("tools/call", 2).id(), "{\"resultType\":\"task\",\"taskId\":\"t\"}"));
        assertThat(connector.response("f1").at("error").at("message").text()).contains("returned a task");
    }

    @Test
    void respondsToMethodsThatServerLacks() {
        connector.sendRequest("r1", "ping", "{}", "");
        assertThat(connector.response("r1").at("result").raw()).isEqualTo("{}");
        connector.sendRequest("r2", "logging/setLevel", "{\"level\":\"info\"}", "");
        assertThat(connector.response("r2").at("error").at("message").text()).contains("logLevel");
        assertThat(server.requests("ping")).isEmpty();
    }

    @Test
    void subscribeOpensNewListenBeforeClosingOld() {
        RpcMessage.Request first = server.nth("subscriptions/listen", 1);
        assertThat(params(first)).contains("\"notifications\":{\"toolsListChanged\":true}");

        connector.sendRequest("r1", "resources/subscribe", "{\"uri\":\"a:b\"}", "");
        assertThat(connector.response("r1").at("result").raw()).isEqualTo("{}");
        RpcMessage.Request second = server.nth("subscriptions/listen", 2);
        assertThat(params(second))
                .contains("\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]}");
        RpcMessage cancelled = new RpcMessage.Notification(
                "notifications/cancelled", Optional.of("{\"requestId\":" + first.id() + "}"));
        await().atMost(TIMEOUT).until(() -> server.received.contains(cancelled));
        assertThat(server.received.indexOf(cancelled)).isGreaterThan(server.received.indexOf(second));

        server.notify(second.id(), "notifications/resources/updated", ",\"uri\":\"a:b\"");
        await().atMost(TIMEOUT).until(() -> connector.count("notifications/resources/updated") == 1);
        assertThat(connector.sent.getLast().at("payload").at("params").raw()).isEqualTo("{\"uri\":\"a:b\"}");

        connector.sendRequest("r2", "resources/unsubscribe", "{\"uri\":\"a:b\"}", "");
        assertThat(connector.response("r2").at("result").raw()).isEqualTo("{}");
        assertThat(params(server.nth("subscriptions/listen", 3))).doesNotContain("a:b");
    }

    @Test
    void reopensBrokenListenAndReportsChanges() {
        connector.sendRequest("r1", "resources/subscribe", "{\"uri\":\"a:b\"}", "");
        connector.response("r1");
        RpcMessage.Request listen = server.nth("subscriptions/listen", 2);
        int lists = server.requests("tools/list").size();

        server.deliver(new RpcMessage.ErrorResponse(listen.id(), "{\"code\":-32000,\"message\":\"broke\"}"));

        server.nth("subscriptions/listen", 3);
        await().atMost(TIMEOUT).until(() -> connector.count("notifications/tools/list_changed") == 2);
        await().atMost(TIMEOUT).until(() -> connector.count("notifications/resources/updated") == 1);
        server.nth("tools/list", lists + 1);
    }

    @Test
    void refetchesChangedList() throws IOException {
        server.notify(server.nth("subscriptions/listen", 1).id(), "notifications/tools/list_changed", "");
        server.nth("tools/list", 2);
        await().atMost(TIMEOUT).until(() -> connector.count("notifications/tools/list_changed") == 2);
        assertThat(connector.sent.getLast().raw()).doesNotContain("subscriptionId");
    }
}
