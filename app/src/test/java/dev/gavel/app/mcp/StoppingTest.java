package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.McpClient.params;
import static dev.gavel.app.mcp.McpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.bridge.ScriptedServer;
import dev.gavel.app.mcp.McpClient.Ongoing;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What MCP clients are told that wait for something when the server is stopped, and what they find at the next. */
@SuppressWarnings("NullAway.Init") // made before each test
class StoppingTest {
    @TempDir
    private Path data;

    private Ops ops;

    @BeforeEach
    void start() throws Exception {
        ops = Ops.withFiles(data);
        await().until(() -> ops.client("alice").tools().contains("delete_file"));
    }

    @AfterEach
    void stop() {
        ops.close();
    }

    @Test
    void whoWaitsIsToldHowToGoOnAndTheNextServerTakesItUp() throws Exception {
        Ongoing older = ops.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        Ongoing newer = new StatelessClient(ops.server, "helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"b\"}"));
        Ongoing listening = new StatelessClient(ops.server, "alice")
                .begin("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}");
        await().until(() -> ops.proposals().size() == 2);
        ops.close();
        for (Ongoing each : List.of(older, newer)) {
            assertThat(text(each.answer().at("result"))).startsWith("Pending").contains("again");
        }
        assertThat(listening.answer().at("result").there()).isTrue();

        start();
        Ongoing olderAgain = ops.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        Ongoing newerAgain = new StatelessClient(ops.server, "helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"b\"}"));
        for (var proposal : ops.proposals()) {
            ops.approve(proposal.at("id").text());
        }
        assertThat(text(olderAgain.answer().at("result"))).isEqualTo("delete_file done: a");
        assertThat(text(newerAgain.answer().at("result"))).isEqualTo("delete_file done: b");
        assertThat(ops.proposals()).hasSize(2);
    }

    @Test
    void whatIsDecidedBeforeTheCallerIsBackIsFetchedFromTheNextServerAndOnce() throws Exception {
        Ongoing call = ops.client("hasty").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        String id = ops.open();
        ops.close();
        assertThat(text(call.answer().at("result"))).startsWith("Pending");

        start();
        ops.approve(id);
        ops.until(id, "fulfilled");
        await().until(() -> ops.proposal(id).at("outcome").text().equals("succeeded"));
        assertThat(text(ops.client("hasty").call("delete_file", "{\"path\":\"a\"}")))
                .isEqualTo("delete_file done: a");
        assertThat(ops.proposal(id).at("timeline").raw()).contains("\"forwarded\"");
        ops.close();

        start();
        assertThat(text(ops.client("hasty").call("delete_file", "{\"path\":\"a\"}")))
                .startsWith("Pending");
        assertThat(ops.proposals()).hasSize(2);
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
            """.formatted(data.resolve("bridged")) + ScriptedServer.yaml("scripted", Map.of());
        try (TestServer server = new TestServer(config, 1)) {
            McpClient helper = new McpClient(server, "ops", "helper");
            helper.initialize();
            await().atMost(Duration.ofSeconds(30)).until(() -> helper.tools().contains("echo"));
            try (TestSocket alice = server.join("alice")) {
                alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-1\",\"kind\":\"mcp.request.tools/call:linger\","
                        + "\"to\":[\"scripted\"],\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                        + "\"params\":{\"name\":\"linger\"}}}");
                alice.envelope("mcp.response.tools/call:linger");
            }
            Ongoing before = helper.begin("tools/call", params("echo", "{\"n\":1}"));
            Thread stopping = Thread.ofVirtual().start(server::close);
            assertThat(text(before.answer().at("result"))).startsWith("Pending");
            // Nobody is let in any more once its bridge has left, which takes its time.
            Json answer = helper.ask("tools/call", params("echo", "{\"n\":2}"));
            assertThat(text(answer.at("result"))).startsWith("Pending").contains("needs approval");
            stopping.join();
        }
    }
}
