package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.bridge.ScriptedMcpServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what waiting MCP clients receive when the server is stopped, and what they find on the next server. */
@SuppressWarnings("NullAway.Init") // set before each test
class FacadeShutdownTest {
    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        await().until(() -> mcpTestTopic.client("alice").tools().contains("delete_file"));
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    @Test
    void whoWaitsIsToldHowToGoOnAndTheNextServerTakesItUp() throws Exception {
        PendingResponse older =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        PendingResponse newer = new StatelessMcpClient(mcpTestTopic.server, "helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"b\"}"));
        PendingResponse listening = new StatelessMcpClient(mcpTestTopic.server, "alice")
                .begin("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}");
        await().until(() -> mcpTestTopic.proposals().size() == 2);
        mcpTestTopic.close();
        for (PendingResponse each : List.of(older, newer)) {
            assertThat(text(each.answer().at("result"))).startsWith("Pending").contains("again");
        }
        assertThat(listening.answer().at("result").isPresent()).isTrue();

        start();
        PendingResponse olderAgain =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        PendingResponse newerAgain = new StatelessMcpClient(mcpTestTopic.server, "helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"b\"}"));
        for (var proposal : mcpTestTopic.proposals()) {
            mcpTestTopic.approve(proposal.at("id").text());
        }
        assertThat(text(olderAgain.answer().at("result"))).isEqualTo("delete_file done: a");
        assertThat(text(newerAgain.answer().at("result"))).isEqualTo("delete_file done: b");
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void whatIsDecidedBeforeTheCallerIsBackIsFetchedFromTheNextServerAndOnce() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("hasty").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.close();
        assertThat(text(call.answer().at("result"))).startsWith("Pending");

        start();
        mcpTestTopic.approve(id);
        mcpTestTopic.awaitState(id, "fulfilled");
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        assertThat(text(mcpTestTopic.client("hasty").call("delete_file", "{\"path\":\"a\"}")))
                .isEqualTo("delete_file done: a");
        assertThat(mcpTestTopic.proposal(id).at("timeline").raw()).contains("\"forwarded\"");
        mcpTestTopic.close();

        start();
        assertThat(text(mcpTestTopic.client("hasty").call("delete_file", "{\"path\":\"a\"}")))
                .startsWith("Pending");
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void whoCallsWhileItStopsIsToldThatItIsPendingAndNotThatItWasApproved() throws Exception {
        String config = """
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
            """.formatted(data.resolve("bridged")) + ScriptedMcpServer.yaml("scripted", Map.of());
        try (TestServer server = new TestServer(config, 1)) {
            TestMcpClient helper = new TestMcpClient(server, "ops", "helper");
            helper.initialize();
            await().atMost(Duration.ofSeconds(30)).until(() -> helper.tools().contains("echo"));
            try (TestSocket alice = server.join("alice")) {
                alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-1\",\"kind\":\"mcp.request.tools/call:linger\","
                        + "\"to\":[\"scripted\"],\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                        + "\"params\":{\"name\":\"linger\"}}}");
                alice.envelope("mcp.response.tools/call:linger");
            }
            PendingResponse before = helper.begin("tools/call", params("echo", "{\"n\":1}"));
            Thread stopping = Thread.ofVirtual().start(server::close);
            assertThat(text(before.answer().at("result"))).startsWith("Pending");
            // The server accepts no connections once its bridge has left, which takes a while.
            Json answer = helper.requestAndAwait("tools/call", params("echo", "{\"n\":2}"));
            assertThat(text(answer.at("result"))).startsWith("Pending").contains("needs approval");
            stopping.join();
        }
    }
}
