package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.bridge.UnforwardableAnswerServer;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Gavel;
import dev.gavel.client.Token;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.RemoteTopicConnector;
import dev.gavel.mcp.bridge.RestartPolicy;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.ServerIsolation;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the caller of a bridged server gets an error at once if the server's answer cannot be forwarded, and that
 * large answers within the limit arrive.
 */
@SuppressWarnings("NullAway.Init") // set before the tests
class UnforwardableAnswerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int ANSWER_LIMIT = 6 * 1024 * 1024;
    private static final int LONG_DESCRIPTION = 3 * 1024 * 1024;

    private static UnforwardableAnswerServer json;
    private static UnforwardableAnswerServer events;
    private static TestServer server;
    private static Bridge remote;
    private static Bridge remoteJson;
    private static TestMcpClient alice;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        json = new UnforwardableAnswerServer(false);
        events = new UnforwardableAnswerServer(true);
        server = new TestServer(
                """
                listen: 127.0.0.1:0
                data: "%s"
                limits: {answer: 6MiB}
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef}
                  remote: {token: remote-0123456789abcdef}
                  remotejson: {token: remotejson-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*"]
                      remote: ["mcp.response.*", "mcp.request.notifications/*"]
                      remotejson: ["mcp.response.*", "mcp.request.notifications/*"]
                  quiet: {participants: {alice: ["*"]}}
                bridges:
                  stdio: {topic: ops, command: %s}
                  json: {topic: ops, url: "%s"}
                  events: {topic: ops, url: "%s"}
                  excessive: {topic: quiet, command: %s}
                """.formatted(
                                data,
                                InteropPrograms.yaml(UnforwardableAnswerServer.command(LONG_DESCRIPTION)),
                                json.url(),
                                events.url(),
                                InteropPrograms.yaml(UnforwardableAnswerServer.command(ANSWER_LIMIT + 1000))),
                2);
        remote = bridge(
                "remote",
                new ServerLaunchConfig(
                        UnforwardableAnswerServer.command(10), Map.of(), Optional.empty(), ServerIsolation.NONE));
        remoteJson = bridge("remotejson", new HttpServerTarget(URI.create(json.url()), Map.of()));
        alice = new TestMcpClient(server, "ops", "alice");
        alice.initialize();
        await().atMost(PATIENCE)
                .until(() -> alice.tools()
                        .containsAll(List.of(
                                "stdio__deep", "json__deep", "events__deep", "remote__deep", "remotejson__deep")));
    }

    /** Starts a bridge as {@code gavel bridge} does. */
    private static Bridge bridge(String name, ServerTarget target) {
        EnvelopeLimits limits = EnvelopeLimits.DEFAULT.withBytes(EnvelopeLimits.DEFAULT.bytes(), ANSWER_LIMIT);
        Bridge bridge = new Bridge(
                name,
                "ops",
                () -> target.newTransport(name, limits.answerBytes()),
                new RemoteTopicConnector(
                        () -> Gavel.at("http://" + server.listen())
                                .token(Token.of(name + TestServer.SECRET))
                                .topic("ops"),
                        name),
                new McpClientSession.ClientInfo("gavel", "test"),
                limits,
                RestartPolicy.DEFAULT);
        bridge.start();
        return bridge;
    }

    @AfterAll
    static void stop() {
        remote.close();
        remoteJson.close();
        server.close();
        json.close();
        events.close();
    }

    private static Json error(String tool) throws Exception {
        return alice.requestAndAwait("tools/call", TestMcpClient.params(tool, "{}"))
                .at("error");
    }

    @ParameterizedTest
    @CsvSource({
        "deep, levels deep",
        "encoding, UTF-8",
        "typed, An answer must have the id of its request",
        "huge, 6291456 bytes"
    })
    void theCallerGetsAnErrorThatNamesTheProblem(String tool, String problem) throws Exception {
        for (String bridge : List.of("stdio", "json", "events", "remote", "remotejson")) {
            Json error = error(bridge + "__" + tool);
            assertThat(error.at("code").raw()).as(bridge).isEqualTo("-31004");
            assertThat(error.at("message").text()).as(bridge).contains(problem);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "json", "events", "remote", "remotejson"})
    void anImageOfSeveralMegabytesPassesThrough(String bridge) throws Exception {
        assertThat(imageLength(alice.call(bridge + "__image", "{}"))).isEqualTo(UnforwardableAnswerServer.IMAGE_LENGTH);
    }

    private static int imageLength(Json result) {
        return result.at("content").elements().getFirst().at("data").text().length();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "remote"})
    void theImageOfAnApprovedCallPassesThrough(String bridge) throws Exception {
        TestMcpClient helper = new TestMcpClient(server, "ops", "helper");
        helper.initialize();
        PendingResponse call =
                helper.begin("tools/call", TestMcpClient.withProgress(bridge + "__image", "{}", "\"t\""));
        alice.call("gavel_approve", "{\"proposal\":\"" + alice.awaitPending() + "\",\"confirm\":true}");
        assertThat(imageLength(call.answer().at("result"))).isEqualTo(UnforwardableAnswerServer.IMAGE_LENGTH);
    }

    @Test
    void theProposerOfAnApprovedCallGetsTheErrorToo() throws Exception {
        TestMcpClient helper = new TestMcpClient(server, "ops", "helper");
        helper.initialize();
        PendingResponse call = helper.begin("tools/call", TestMcpClient.withProgress("stdio__huge", "{}", "\"t\""));
        alice.call("gavel_approve", "{\"proposal\":\"" + alice.awaitPending() + "\",\"confirm\":true}");
        assertThat(call.answer().at("error").at("message").text()).contains("6291456 bytes");
    }

    @Test
    void aListOfSeveralMegabytesIsComplete() throws Exception {
        Json tools = alice.requestAndAwait("tools/list", "{}").at("result").at("tools");
        assertThat(tools.elements().stream()
                        .filter(tool -> tool.at("name").text().equals("stdio__image"))
                        .map(tool -> tool.at("description").text().length()))
                .containsExactly(LONG_DESCRIPTION);
    }

    @Test
    void aListAboveTheLimitIsReported() throws Exception {
        await().atMost(PATIENCE)
                .until(() -> server.metrics()
                        .lines()
                        .anyMatch(line -> line.matches(
                                "gavel_bridge_undelivered_messages_total\\{.*\"excessive\".*\\} [1-9]\\d*")));
        HttpResponse<String> health = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/health/ready"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(Json.parse(health.body())
                        .orElseThrow()
                        .at("undeliveredMessages")
                        .asLong(0))
                .isPositive();
    }
}
