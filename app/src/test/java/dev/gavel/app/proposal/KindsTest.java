package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests the lifecycle kinds: what each must contain, and what it must not. */
class KindsTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        testTopic.join("files");
        alice = testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mcp.request.tools/call:write_file  | {"method":"tools/call","params":{"name":"write_file"}} | ["p-1","p-2"]   | malformed
            mcp.request.tools/call:write_file  | {"method":"tools/call","params":{"name":"rm"}}         | "p-1"           | kind_payload_mismatch
            mcp.request.tools/call:write_file  | {"method":"tools/list","params":{"name":"write_file"}} | "p-1"           | kind_payload_mismatch
            mcp.response.tools/call:write_file | {"jsonrpc":"2.0","id":1,"result":{}}                   |                 | malformed
            mcp.response.tools/call:write_file | {"jsonrpc":"2.0","id":1,"result":{}}                   | ["p-1","p-2"]   | malformed
            mcp.proposal.tools/call:write_file | {"method":"tools/call","params":{"name":"write_file"}} | "p-1"           | malformed
            mcp.proposal.tools/call:write_file | {"params":{"name":"write_file"}}                       |                 | kind_payload_mismatch
            mcp.proposal.tools/call:write_file | {"method":"tools/call","params":{"name":"rm"}}         |                 | kind_payload_mismatch
            mcp.proposal.tools/list:x          | {"method":"tools/list"}                                |                 | kind_payload_mismatch
            mcpx.withdraw.proposal             | {}                                                     |                 | malformed
            mcpx.withdraw.proposal             | {"reason":7}                                           | "p-1"           | malformed
            mcpx.reject.proposal               | {"reason":"policy"}                                    |                 | malformed
            mcpx.reject.proposal               | {"reason":["policy"]}                                  | "p-1"           | malformed
            mcpx.reject.proposal               | {"reason":"policy","note":7}                           | "p-1"           | malformed
            mcpx.status.proposal               | {"status":"queued"}                                    |                 | malformed
            mcpx.status.proposal               | {}                                                     | "p-1"           | malformed
            mcpx.reject.proposal               | {"reason":"policy"}                                    | ["p-1",7]       | malformed
            mcpx.reject.proposal               | {"reason":"policy"}                                    | {"id":"p-1"}    | malformed
            """)
    void whatIsMissingOrWrongIsRefusedAndNothingHappens(String kind, String payload, String about, String error)
            throws Exception {
        TestEnvelope testEnvelope = TestEnvelope.envelope("x-1", kind, payload).to("files");
        JsonNode refused = alice.sendAndAwaitError(
                about == null ? testEnvelope : testEnvelope.with("correlationId", TestEnvelope.JSON.readTree(about)));
        assertThat(refused.path("error").asString()).isEqualTo(error);
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(testTopic.get("alice", "/topics/ops/proposals/x-1").status()).isEqualTo(404);
    }

    @Test
    void aProposalMayBeOfAnyMethod() throws Exception {
        alice.sendAndAwaitEcho(TestEnvelope.envelope("p-3", "mcp.proposal.tools/list", "{\"method\":\"tools/list\"}"));
        alice.sendAndAwaitEcho(TestEnvelope.envelope(
                "p-4",
                "mcp.proposal.prompts/get:greet",
                "{\"method\":\"prompts/get\",\"params\":{\"name\":\"greet\"}}"));
        alice.sendAndAwaitEcho(TestEnvelope.envelope(
                "p-5",
                "mcp.proposal.resources/read:file:///a",
                "{\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///a\"}}"));
        assertThat(testTopic.proposal("bob", "p-5").path("kind").asString())
                .isEqualTo("mcp.proposal.resources/read:file:///a");
    }

    @Test
    void anIdHasUpTo128Characters() throws Exception {
        String longest = "p".repeat(128);
        alice.sendAndAwaitEcho(proposal(longest));
        assertThat(testTopic.state(longest)).isEqualTo("open");
        alice.send(proposal(longest + "p"));
        assertThat(alice.await("system.error").path("payload").path("error").asString())
                .isEqualTo("malformed");
    }
}
