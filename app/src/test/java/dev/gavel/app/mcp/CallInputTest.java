package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests the tools of server-everything that ask their caller for input. */
@SuppressWarnings("NullAway.Init") // set before the tests
class CallInputTest {
    private static final String CAPABILITIES =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{}}";

    private static TestServer server;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        server = new TestServer(
                """
                listen: 127.0.0.1:0
                data: %s
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*"]
                bridges:
                  everything: {topic: ops, command: %s}
                  newest: {topic: ops, command: %s}
                """.formatted(
                                data,
                                InteropPrograms.yaml(InteropPrograms.everything()),
                                InteropPrograms.yaml(InteropPrograms.script("eras.mjs", "new"))),
                2);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> server.isBridgeConnected("everything") && server.isBridgeConnected("newest"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static TestMcpClient client(String version, String capabilities) throws Exception {
        TestMcpClient client = new TestMcpClient(server, "ops", "alice", version);
        client.initialize(capabilities);
        return client;
    }

    /** The next request of the server in a stream. */
    private static Json question(PendingResponse call) throws InterruptedException {
        while (true) {
            Json next = call.next().orElseThrow();
            if (next.at("method").isPresent() && next.at("id").isPresent()) {
                return next;
            }
        }
    }

    @ParameterizedTest(name = "{1} with MCP {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "2025-06-18 | trigger-elicitation-request | {} | elicitation/create | {\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}} | Ada",
                "2025-11-25 | trigger-elicitation-request | {} | elicitation/create | {\"action\":\"decline\"} | declined",
                "2025-11-25 | trigger-url-elicitation | {\"url\":\"https://example.org/\"} | elicitation/create | {\"action\":\"accept\"} | https://example.org/",
                "2025-11-25 | trigger-sampling-request | {\"prompt\":\"hello\"} | sampling/createMessage | {\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"the moon\"}} | the moon",
                "2025-11-25 | get-roots-list | {} | roots/list | {\"roots\":[{\"uri\":\"file:///srv/notes\",\"name\":\"notes\"}]} | file:///srv/notes",
                "2025-11-25 | simulate-research-query | {\"topic\":\"python\",\"ambiguous\":true} | elicitation/create | {\"action\":\"decline\"} | User declined",
            })
    void aClientOfAnOlderVersionIsAskedDuringItsCall(
            String version, String tool, String arguments, String method, String answer, String expected)
            throws Exception {
        TestMcpClient alice = client(version, CAPABILITIES);
        PendingResponse call = alice.begin("tools/call", params(tool, arguments));
        Json question = question(call);
        assertThat(question.at("method").text()).isEqualTo(method);
        assertThat(alice.respond(question, answer)).isEqualTo(202);
        assertThat(call.answer().at("result").raw()).contains(expected).doesNotContain("inputRequests");
    }

    @Test
    void aClientOfTheNewestVersionGetsTheQuestionOfAnOlderServerAsAResult() throws Exception {
        StatelessMcpClient alice = new StatelessMcpClient(server, "alice").withCapabilities(CAPABILITIES);
        Json asked = alice.call("trigger-elicitation-request", "{}");
        assertThat(asked.at("resultType").text()).isEqualTo("input_required");
        String key = asked.at("inputRequests").members().keySet().iterator().next();

        Json result = alice.requestAndAwait(
                        "tools/call",
                        "{\"name\":\"trigger-elicitation-request\",\"arguments\":{},\"requestState\":"
                                + asked.at("requestState").raw() + ",\"inputResponses\":{\"" + key
                                + "\":{\"action\":\"accept\",\"content\":{\"name\":\"Grace\"}}}}")
                .at("result");
        assertThat(result.raw()).contains("Grace");
    }

    @Test
    void aClientOfAnOlderVersionIsAskedByAServerOfTheNewestVersion() throws Exception {
        TestMcpClient alice = client("2025-11-25", CAPABILITIES);
        PendingResponse call = alice.begin("tools/call", params("ask", "{}"));
        Json question = question(call);
        assertThat(question.at("method").text()).isEqualTo("elicitation/create");
        alice.respond(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");
        assertThat(text(call.answer().at("result"))).contains("Ada");
    }

    @Test
    void aServerThatOnlyWantsTheCallAgainGetsItAgain() throws Exception {
        Json result = client("2025-11-25", CAPABILITIES).call("again", "{}");
        assertThat(result.at("content").elements()).isNotEmpty();
        assertThat(result.at("isError").isTrue()).isFalse();
    }

    @Test
    void theServerLearnsAtOnceThatAClientCannotBeAsked() throws Exception {
        Json result = client("2025-11-25", "{}").call("trigger-sampling-request", "{\"prompt\":\"hello\"}");
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(text(result)).contains("does not support sampling/createMessage");
    }

    @Test
    void aCallThatAnotherMemberApprovedAsksNothing() throws Exception {
        TestMcpClient helper = new TestMcpClient(server, "ops", "helper");
        helper.initialize(CAPABILITIES);
        PendingResponse call = helper.begin(
                "tools/call",
                TestMcpClient.withProgress("trigger-sampling-request", "{\"prompt\":\"hello\"}", "\"p\""));
        TestMcpClient alice = client("2025-11-25", CAPABILITIES);
        alice.call("gavel_approve", "{\"proposal\":\"" + alice.awaitPending() + "\",\"confirm\":true}");
        Json result = call.answer().at("result");
        assertThat(text(result)).contains("exactly as it was approved");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "cancel, the client cancelled the call: enough",
        "end, the client ended its session",
        "disconnect, the client lost its connection",
    })
    void aClientThatLeavesWhileItIsAskedCancelsTheCallAtTheServer(String way, String reason) throws Exception {
        TestMcpClient alice = client("2025-11-25", CAPABILITIES);
        try (TestSocket watcher = server.join("helper")) {
            PendingResponse call = alice.begin("tools/call", params("trigger-elicitation-request", "{}"));
            Json question = question(call);
            String request = watcher.envelope("mcp.request.tools/call:trigger-elicitation-request")
                    .path("id")
                    .asString();
            switch (way) {
                case "cancel" ->
                    alice.notify("notifications/cancelled", "{\"requestId\":" + call.id + ",\"reason\":\"enough\"}");
                case "end" -> alice.end();
                default -> {
                    call.cut();
                    // The client may return for ten seconds.
                    Thread.sleep(Duration.ofSeconds(8));
                }
            }
            JsonNode cancellation = watcher.envelope("mcp.request.notifications/cancelled");
            assertThat(cancellation.path("to").path(0).asString()).isEqualTo("everything");
            JsonNode cancelled = cancellation.path("payload").path("params");
            assertThat(cancelled.path("requestId").asString()).isEqualTo(request);
            assertThat(cancelled.path("reason").asString()).isEqualTo(reason);

            if (!way.equals("end")) {
                // The call is not repeated with a late answer.
                alice.respond(question, "{\"action\":\"decline\"}");
                alice.call("era", "{}");
                String next = "";
                while (!next.endsWith("tools/call:era")) {
                    next = watcher.envelope().path("kind").asString();
                    assertThat(next).doesNotContain("trigger-elicitation-request");
                }
            }
        }
    }
}
