package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.client.Participant;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that a repeated call gets its result although the tool has another name by then, or is not listed any more. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class RepeatedCallTest {
    private static final String ARGUMENTS = "{\"path\":\"x\"}";

    @TempDir
    private Path data;

    @SuppressWarnings("NullAway.Init") // each test sets it
    private McpTestTopic mcpTestTopic;

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private Participant serveWipe(String identity) throws Exception {
        return mcpTestTopic.serve(
                identity,
                new Tools()
                        .tool(
                                "wipe",
                                McpTestTopic.fixed(
                                        "{\"content\":[{\"type\":\"text\",\"text\":\"wiped by " + identity + "\"}]}")));
    }

    /** Lets {@code hasty} call a tool until the answer is pending, and alice approve the call. */
    private void callAndRun(TestMcpClient hasty, String tool) throws Exception {
        assertThat(TestMcpClient.text(hasty.call(tool, ARGUMENTS))).startsWith("Pending");
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id);
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
    }

    @Test
    void theResultArrivesThoughTheToolIsNotListedAnyMore() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        Participant third = serveWipe("third");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        callAndRun(hasty, "wipe");
        third.close();
        await().until(() -> !hasty.tools().contains("wipe"));
        assertThat(TestMcpClient.text(hasty.call("wipe", ARGUMENTS))).isEqualTo("wiped by third");
        assertThat(hasty.requestAndAwait("tools/call", TestMcpClient.params("wipe", ARGUMENTS))
                        .at("error")
                        .at("message")
                        .text())
                .as("the result is delivered once")
                .startsWith("Unknown tool: 'wipe'");
    }

    @Test
    void anOpenProposalIsResumedThoughItsToolIsNotListedAnyMore() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        Participant third = serveWipe("third");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        Json first = hasty.call("wipe", ARGUMENTS);
        third.close();
        await().until(() -> !hasty.tools().contains("wipe"));
        assertThat(hasty.call("wipe", ARGUMENTS).at("_meta").raw())
                .isEqualTo(first.at("_meta").raw());
    }

    @Test
    void theResultArrivesThoughTheToolGotAPrefix() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        serveWipe("third");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        callAndRun(hasty, "wipe");
        serveWipe("other");
        await().until(() -> hasty.tools().contains("third__wipe"));
        assertThat(TestMcpClient.text(hasty.call("wipe", ARGUMENTS))).isEqualTo("wiped by third");
    }

    @Test
    void theResultArrivesThoughTheToolLostItsPrefix() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        serveWipe("third");
        Participant other = serveWipe("other");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        await().until(() -> hasty.tools().contains("third__wipe"));
        callAndRun(hasty, "third__wipe");
        other.close();
        await().until(() -> hasty.tools().contains("wipe"));
        assertThat(TestMcpClient.text(hasty.call("third__wipe", ARGUMENTS))).isEqualTo("wiped by third");
    }

    @Test
    void theResultArrivesThoughAnotherParticipantTookTheName() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        Participant third = serveWipe("third");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        callAndRun(hasty, "wipe");
        third.close();
        await().until(() -> !hasty.tools().contains("wipe"));
        serveWipe("other");
        await().until(() -> hasty.tools().contains("wipe"));
        assertThat(TestMcpClient.text(hasty.call("wipe", ARGUMENTS))).isEqualTo("wiped by third");
    }

    @Test
    void aCallOfAnotherParticipantIsNotResumed() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        serveWipe("third");
        serveWipe("other");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        await().until(() -> hasty.tools().contains("third__wipe"));
        Json first = hasty.call("third__wipe", ARGUMENTS);
        assertThat(hasty.call("other__wipe", ARGUMENTS).at("_meta").raw())
                .isNotEqualTo(first.at("_meta").raw());
    }
}
