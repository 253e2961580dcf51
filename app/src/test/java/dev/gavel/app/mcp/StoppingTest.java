package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.McpClient.params;
import static dev.gavel.app.mcp.McpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.McpClient.Ongoing;
import java.nio.file.Path;
import java.util.List;
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
}
