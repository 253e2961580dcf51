package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a bridge to a server of MCP 2025-11-25. */
@SuppressWarnings("NullAway.Init") // initialized by each test
final class StatefulServerBridgeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"plain\"},{\"name\":\"slow\",\"execution\":{\"taskSupport\":\"required\"}}]}";

    private final Server server = new Server();
    private final RecordingConnector connector = new RecordingConnector();
    private Bridge bridge;

    /** A server that describes itself, lists its tools, and leaves all other requests to the test. */
    private static final class Server implements McpTransport {
        final List<RpcMessage> received = new CopyOnWriteArrayList<>();
        volatile String capabilities =
                "{\"tools\":{},\"tasks\":{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}";
        volatile boolean refusesToolLists;
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
                        result(request, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities + "}");
                    case "tools/list" -> {
                        if (refusesToolLists) {
                            deliver(RpcErrorCode.INTERNAL.toResponse(request.id(), "The table of tools is missing."));
                        } else {
                            result(request, TOOLS);
                        }
                    }
                    default -> {}
                }
            }
        }

        void result(RpcMessage.Request request, String result) {
            deliver(new RpcMessage.ResultResponse(request.id(), result));
        }

        void deliver(RpcMessage message) {
            Receiver to = receiver;
            if (to != null) {
                to.onMessage(message);
            }
        }

        List<RpcMessage.MethodMessage> messages(String method) {
            return received.stream()
                    .filter(RpcMessage.MethodMessage.class::isInstance)
                    .map(RpcMessage.MethodMessage.class::cast)
                    .filter(each -> each.method().equals(method))
                    .toList();
        }

        RpcMessage.Request request(String method) {
            await().atMost(TIMEOUT).until(() -> !messages(method).isEmpty());
            return (RpcMessage.Request) messages(method).getFirst();
        }

        @Override
        public void close() {}
    }

    private void start() {
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

    private static Json params(RpcMessage.Request request) {
        return request.params().flatMap(Json::parse).orElseThrow();
    }

    private void startTask() {
        connector.sendRequest("r1", "tools/call", "{\"name\":\"slow\",\"arguments\":{\"n\":1.0}}", "");
        RpcMessage.Request call = server.request("tools/call");
        assertThat(params(call).at("task").at("ttl").isPresent()).isTrue();
        assertThat(params(call).at("arguments").raw()).isEqualTo("{\"n\":1.0}");
        server.result(call, "{\"task\":{\"taskId\":\"t-1\",\"status\":\"working\"}}");
    }

    @Test
    void aToolThatRequiresATaskRunsAsATask() {
        start();
        startTask();

        RpcMessage.Request fetch = server.request("tasks/result");
        assertThat(params(fetch).at("taskId").text()).isEqualTo("t-1");
        assertThat(connector.find("r1")).isEmpty();
        server.result(fetch, "{\"content\":[]}");

        assertThat(connector.response("r1").at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void anotherToolRunsWithoutATask() {
        start();
        connector.sendRequest("r1", "tools/call", "{\"name\":\"plain\"}", "");
        assertThat(params(server.request("tools/call")).raw()).isEqualTo("{\"name\":\"plain\"}");
    }

    @Test
    void aServerThatCannotRunTasksGetsNone() {
        server.capabilities = "{\"tools\":{}}";
        start();
        connector.sendRequest("r1", "tools/call", "{\"name\":\"slow\"}", "");
        assertThat(params(server.request("tools/call")).raw()).isEqualTo("{\"name\":\"slow\"}");
    }

    @Test
    void cancellingACallCancelsItsTask() {
        start();
        startTask();
        server.request("tasks/result");
        connector.sendRequest("c1", "notifications/cancelled", "{\"requestId\":\"r1\"}", "");

        assertThat(params(server.request("tasks/cancel")).at("taskId").text()).isEqualTo("t-1");
        assertThat(connector.response("r1").at("error").at("code").raw()).isEqualTo("-32800");
        assertThat(server.messages("notifications/cancelled")).isEmpty();
    }

    @Test
    void aTaskThatStartsAfterItsCallWasCancelledIsCancelled() {
        start();
        connector.sendRequest("r1", "tools/call", "{\"name\":\"slow\"}", "");
        RpcMessage.Request call = server.request("tools/call");
        connector.sendRequest("c1", "notifications/cancelled", "{\"requestId\":\"r1\"}", "");
        connector.response("r1");
        server.result(call, "{\"task\":{\"taskId\":\"t-1\",\"status\":\"working\"}}");

        assertThat(params(server.request("tasks/cancel")).at("taskId").text()).isEqualTo("t-1");
    }

    @Test
    void theStatusOfATaskStaysBetweenTheBridgeAndItsServer() {
        start();
        startTask();
        server.deliver(new RpcMessage.Notification(
                "notifications/tasks/status", Optional.of("{\"taskId\":\"t-1\",\"status\":\"working\"}")));
        server.result(server.request("tasks/result"), "{\"content\":[]}");
        connector.response("r1");
        assertThat(connector.count("notifications/tasks/status")).isZero();
    }

    @Test
    void theStatusSaysWhyTheToolsAreNotKnown() {
        server.refusesToolLists = true;
        start();
        await().atMost(TIMEOUT).until(() -> bridge.status().phase() == BridgeStatus.Phase.UP);
        assertThat(bridge.status().tools()).isEmpty();
        assertThat(bridge.status().reason())
                .isEqualTo("The server did not list its tools: The table of tools is missing.");

        server.refusesToolLists = false;
        server.deliver(new RpcMessage.Notification("notifications/tools/list_changed", Optional.empty()));
        await().atMost(TIMEOUT).until(() -> bridge.status().tools().isPresent());
        assertThat(bridge.status().reason()).isEmpty();
    }
}
