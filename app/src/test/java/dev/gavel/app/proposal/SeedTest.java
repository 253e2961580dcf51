package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests every message in ADR-v2c as printed there: without its comments, and with the dots in its params filled in. */
class SeedTest {
    private static final String PROPOSAL = """
            {
              "protocol": "mcpx/v0.1",
              "id": "prop-123",
              "from": "untrusted-agent",
              "to": ["filesystem-agent"],
              "kind": "mcp.proposal.tools/call",
              "payload": {
                "method": "tools/call",
                "params": { "name": "write_file", "arguments": { "path": "/tmp/a" } }
              }
            }
            """;
    private static final String WITHDRAWAL = """
            {
              "protocol": "mcpx/v0.1",
              "id": "withdraw-456",
              "from": "untrusted-agent",
              "correlationId": "prop-123",
              "kind": "mcpx.withdraw.proposal",
              "payload": {
                "reason": "No longer needed"
              }
            }
            """;
    private static final String REJECTION = """
            {
              "protocol": "mcpx/v0.1",
              "id": "reject-789",
              "from": "filesystem-agent",
              "to": ["untrusted-agent"],
              "correlationId": "prop-123",
              "kind": "mcpx.reject.proposal",
              "payload": {
                "reason": "busy"
              }
            }
            """;
    private static final String STATUS = """
            {
              "kind": "mcpx.status.proposal",
              "correlationId": "prop-123",
              "payload": {
                "status": "WORD"
              }
            }
            """;

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant proposer;
    private TestParticipant target;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(
                data.resolve("room"),
                TestTopic.members(
                        "untrusted-agent: mcp.proposal.*, mcpx.withdraw.proposal",
                        "filesystem-agent: mcp.request.*, mcp.response.*, mcpx.reject.proposal, mcpx.status.proposal,"
                                + " chat.*",
                        "observer: mcpx.reject.proposal, mcpx.withdraw.proposal, chat.*"));
        proposer = testTopic.join("untrusted-agent");
        target = testTopic.join("filesystem-agent");
        proposer.send(PROPOSAL);
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private JsonNode fetchProposal() throws Exception {
        return testTopic.proposal("observer", "prop-123");
    }

    @Test
    void theProposalReachesItsTargetAsItWasSent() throws Exception {
        JsonNode received = target.awaitId("prop-123");
        JsonNode sent = TestEnvelope.JSON.readTree(PROPOSAL);
        for (String field : sent.propertyNames()) {
            assertThat(received.path(field)).as(field).isEqualTo(sent.path(field));
        }
        assertThat(proposer.awaitId("prop-123")).isEqualTo(received);
        assertThat(fetchProposal().path("state").asString()).isEqualTo("open");
    }

    @Test
    void theWithdrawalCancelsIt() throws Exception {
        proposer.awaitId("prop-123");
        proposer.send(WITHDRAWAL);
        JsonNode received = target.awaitId("withdraw-456");
        assertThat(received.path("payload").path("reason").asString()).isEqualTo("No longer needed");
        assertThat(received.path("correlationId").asString()).isEqualTo("prop-123");
        assertThat(fetchProposal().path("state").asString()).isEqualTo("withdrawn");
    }

    @Test
    void theRejectionTellsTheProposerNotToWait() throws Exception {
        target.awaitId("prop-123");
        target.send(REJECTION);
        assertThat(proposer.awaitId("reject-789").path("payload").path("reason").asString())
                .isEqualTo("busy");
        // It was the only addressee, so its abstention rejects the proposal.
        proposer.await("system.proposal.rejected", "prop-123");
        assertThat(fetchProposal().path("state").asString()).isEqualTo("rejected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"considering", "queued", "processing", "unable"})
    void aStatusTellsTheProposerHowItStands(String word) throws Exception {
        target.awaitId("prop-123");
        // The document omits the fields that every envelope has.
        target.send(
                STATUS.replace("WORD", word).replaceFirst("\\{", "{\"protocol\":\"mcpx/v0.1\",\"id\":\"status-1\","));
        assertThat(proposer.awaitId("status-1").path("payload").path("status").asString())
                .isEqualTo(word);
        assertThat(fetchProposal().path("state").asString()).isEqualTo("open");
    }

    @Test
    void aStatusJustAsItIsPrintedIsNoEnvelope() throws Exception {
        target.awaitId("prop-123");
        target.send(STATUS.replace("WORD", "queued"));
        assertThat(target.await("system.error").path("payload").path("error").asString())
                .isEqualTo("malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "incapable", "policy", "unsafe"})
    void anyProposalCanBeRejectedNotJustTargetedOnes(String reason) throws Exception {
        TestParticipant observer = testTopic.join("observer");
        proposer.sendAndAwaitEcho(
                new TestEnvelope((tools.jackson.databind.node.ObjectNode) TestEnvelope.JSON.readTree(PROPOSAL))
                        .with("id", "prop-124")
                        .to());
        observer.sendAndAwaitEcho(TestEnvelope.rejection("reject-790", reason, "prop-124"));
        observer.sendAndAwaitEcho(TestEnvelope.rejection("reject-791", reason, "prop-123"));
        proposer.awaitId("reject-790");
        assertThat(TestParticipant.texts(
                        testTopic.proposal("observer", "prop-124").path("reasons"), "reason"))
                .isEqualTo(List.of(reason));
    }

    @Test
    void onlyTheOriginalProposerWithdraws() throws Exception {
        TestParticipant observer = testTopic.join("observer");
        assertThat(observer.sendAndAwaitError(TestEnvelope.withdrawal("w-1", "prop-123"))
                        .path("error")
                        .asString())
                .isEqualTo("not_proposer");
        observer.send(WITHDRAWAL);
        assertThat(observer.await("system.error").path("payload").path("error").asString())
                .isEqualTo("identity_mismatch");
    }

    @Test
    void rejectionGrantsNoExecution() throws Exception {
        TestParticipant observer = testTopic.join("observer");
        observer.sendAndAwaitEcho(TestEnvelope.rejection("r-1", "busy", "prop-123"));
        assertThat(observer.sendAndAwaitError(TestEnvelope.envelope(
                                        "f-1",
                                        "mcp.request.tools/call",
                                        "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\"}}")
                                .about("prop-123")
                                .to("filesystem-agent"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
    }

    @Test
    void theSpecsFormsBeforeItGoOnWorking() throws Exception {
        proposer.awaitId("prop-123");
        proposer.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"prop-old\",\"kind\":\"mcp/proposal:tools/call:write_file\","
                + "\"payload\":" + TestEnvelope.WRITE + "}");
        proposer.awaitId("prop-old");
        target.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"req-old\",\"kind\":\"mcp/request:tools/call\","
                + "\"to\":[\"filesystem-agent\"],\"correlation_id\":\"prop-old\",\"payload\":" + TestEnvelope.WRITE
                + "}");
        target.awaitId("req-old");
        assertThat(testTopic.proposal("observer", "prop-old").path("state").asString())
                .isEqualTo("fulfilled");
    }
}
