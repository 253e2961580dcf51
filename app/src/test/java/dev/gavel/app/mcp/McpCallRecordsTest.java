package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the records of calls that MCP clients and the Java library make. */
@SuppressWarnings("NullAway.Init") // set before each test
@Timeout(120)
class McpCallRecordsTest {
    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void open() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @AfterEach
    void close() {
        mcpTestTopic.close();
    }

    @Test
    void aPermittedMcpCallIsRecorded() throws Exception {
        mcpTestTopic.client("helper").call("read_file", "{\"path\":\"secret.txt\"}");
        Json call = mcpTestTopic.awaitCall("ok");
        assertThat(call.at("by").text()).isEqualTo("helper");
        assertThat(call.at("to").texts()).containsExactly("files");
        assertThat(call.at("name").text()).isEqualTo("read_file");
        assertThat(call.at("digest").text()).hasSize(64);
        assertThat(call.at("proposal").isPresent()).isFalse();
        assertThat(call.raw()).doesNotContain("secret.txt");
        mcpTestTopic.client("helper").call("read_file", "{\"fail\":true}");
        mcpTestTopic.awaitCall("error");
    }

    @Test
    void anApprovedMcpCallIsRecordedForTheReviewer() throws Exception {
        TestMcpClient.PendingResponse waiting =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"a\"}"));
        String proposal = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(proposal);
        waiting.answer();
        Json call = mcpTestTopic.awaitCall("ok");
        assertThat(call.at("by").text()).isEqualTo("alice");
        assertThat(call.at("proposal").text()).isEqualTo(proposal);
    }

    @Test
    void aCallOfTheJavaLibraryIsRecorded() {
        try (Participant alice = Gavel.at("http://" + mcpTestTopic.server.listen())
                .token(Token.of("alice" + TestServer.SECRET))
                .topic("ops")
                .connect()) {
            alice.send(
                            EnvelopeDraft.of("lib-1", Kind.of("mcp.request.tools/call:read_file"))
                                    .withRecipients(List.of("files")),
                            Json.parse("{\"jsonrpc\":\"2.0\",\"id\":\"lib-1\",\"method\":\"tools/call\","
                                            + "\"params\":{\"name\":\"read_file\",\"arguments\":{}}}")
                                    .orElseThrow())
                    .join();
            Json call = mcpTestTopic.awaitCall("ok");
            assertThat(call.at("id").text()).isEqualTo("lib-1");
            assertThat(call.at("by").text()).isEqualTo("alice");
        }
    }
}
