package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static dev.gavel.app.mcp.TestMcpClient.withProgress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the official server-everything through the bridge and the facade. */
@SuppressWarnings("NullAway.Init") // set before the tests
class BridgedServerTest {
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
                  everything: {topic: ops, command: [%s]}
                """.formatted(
                                data,
                                InteropPrograms.everything().stream()
                                        .map(word -> "'" + word + "'")
                                        .collect(Collectors.joining(", "))),
                2);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.isBridgeConnected("everything"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static TestMcpClient client(String identity) throws Exception {
        TestMcpClient client = new TestMcpClient(server, "ops", identity);
        client.initialize();
        return client;
    }

    private static void approve(String id) throws Exception {
        assertThat(client("alice")
                        .call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true}")
                        .at("isError")
                        .isTrue())
                .isFalse();
    }

    @Test
    void itsToolsPromptsAndResourcesAreListed() throws Exception {
        TestMcpClient alice = client("alice");
        assertThat(alice.tools()).contains("echo", "get-sum", "trigger-long-running-operation");
        assertThat(alice.requestAndAwait("prompts/list", "{}")
                        .at("result")
                        .at("prompts")
                        .elements())
                .isNotEmpty();
        assertThat(alice.requestAndAwait("resources/list", "{}")
                        .at("result")
                        .at("resources")
                        .elements())
                .isNotEmpty();
        assertThat(alice.requestAndAwait("resources/templates/list", "{}")
                        .at("result")
                        .at("resourceTemplates")
                        .elements())
                .isNotEmpty();
    }

    @Test
    void aPermittedCallBringsTheServersOwnAnswer() throws Exception {
        assertThat(text(client("alice").call("echo", "{\"message\":\"hello\"}")))
                .isEqualTo("Echo: hello");
    }

    @Test
    void aToolThatCanOnlyBeProposedPromisesNoFormOfItsResult() throws Exception {
        Json shown = tool(client("helper"), "get-structured-content");
        assertThat(shown.at("outputSchema").isPresent()).isFalse();
        assertThat(shown.at("_meta").at("dev.gavel/needsApproval").isTrue()).isTrue();
        assertThat(tool(client("alice"), "get-structured-content")
                        .at("outputSchema")
                        .isPresent())
                .isTrue();
    }

    private static Json tool(TestMcpClient client, String name) throws Exception {
        return client.requestAndAwait("tools/list", "{}").at("result").at("tools").elements().stream()
                .filter(each -> each.at("name").text().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theToolsOwnProgressGoesOnAboveTheWaiting() throws Exception {
        PendingResponse call = client("helper")
                .begin(
                        "tools/call",
                        withProgress("trigger-long-running-operation", "{\"duration\":1,\"steps\":4}", "\"mine\""));
        approve(client("alice").awaitPending());
        List<Double> progress = new ArrayList<>();
        List<String> totals = new ArrayList<>();
        Json next = call.next().orElseThrow();
        while (next.at("method").text().equals("notifications/progress")) {
            assertThat(next.at("params").at("progressToken").text()).isEqualTo("mine");
            progress.add(Double.parseDouble(next.at("params").at("progress").text()));
            totals.add(next.at("params").at("total").text());
            next = call.next().orElseThrow();
        }
        assertThat(text(next.at("result"))).contains("completed");
        assertThat(progress).hasSizeGreaterThanOrEqualTo(5).isSorted().doesNotHaveDuplicates();
        assertThat(totals.getLast()).isNotEmpty();
    }

    @Test
    void cancellingAnApprovedCallReachesTheServerAndWhatCameOfItIsNotForwarded() throws Exception {
        TestMcpClient helper = client("helper");
        PendingResponse call = helper.begin(
                "tools/call", withProgress("trigger-long-running-operation", "{\"duration\":60,\"steps\":600}", "1"));
        String id = client("alice").awaitPending();
        approve(id);
        await().until(() -> call.next()
                .map(each -> each.at("params").at("total").isPresent())
                .orElse(false));
        helper.notify("notifications/cancelled", "{\"requestId\":" + call.id + "}");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(text(helper.call("gavel_status", "{\"proposal\":\"" + id + "\"}")))
                        .contains("result unknown", "cancelled while it ran"));
    }

    @Test
    void aPromptAndAResourceAreProposedLikeATool() throws Exception {
        TestMcpClient helper = client("helper");
        PendingResponse prompt = helper.begin("prompts/get", params("simple-prompt", "{}"));
        approve(client("alice").awaitPending());
        assertThat(prompt.answer().at("result").at("messages").elements()).isNotEmpty();
        String uri = client("alice")
                .requestAndAwait("resources/list", "{}")
                .at("result")
                .at("resources")
                .elements()
                .getFirst()
                .at("uri")
                .text();
        PendingResponse resource = helper.begin("resources/read", "{\"uri\":\"" + uri + "\"}");
        String id = client("alice").awaitPending();
        client("alice").call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"policy\"}");
        assertThat(resource.answer().at("error").at("message").text())
                .contains("alice")
                .contains("policy");
    }

    @Test
    void aResourceThatNobodyHasIsNotFound() throws Exception {
        assertThat(client("alice")
                        .requestAndAwait("resources/read", "{\"uri\":\"nothing://here\"}")
                        .at("error")
                        .at("code")
                        .raw())
                .isEqualTo("-32002");
    }

    @Test
    void argumentsOfAPromptAreCompleted() throws Exception {
        Json result = client("alice")
                .requestAndAwait(
                        "completion/complete",
                        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"completable-prompt\"},"
                                + "\"argument\":{\"name\":\"department\",\"value\":\"E\"}}")
                .at("result");
        assertThat(result.at("completion").at("values").texts()).isNotEmpty();
    }
}
