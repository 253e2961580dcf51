package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests a proposal's life in the syntax from before ADR-008, and in both syntaxes mixed. */
class LegacySyntaxProposalTest {
    private static final String OLD_PROPOSAL =
            "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp/proposal:tools/call:write_file\",\"payload\":"
                    + TestEnvelope.WRITE + "}";
    private static final String OLD_FULFILMENT = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"f-1\",\"to\":[\"files\"],"
            + "\"correlation_id\":\"p-1\",\"kind\":\"mcp/request:tools/call:write_file\",\"payload\":"
            + TestEnvelope.WRITE
            + "}";
    private static final String OLD_ANSWER = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"a-1\",\"to\":[\"alice\"],"
            + "\"correlation_id\":\"f-1\",\"kind\":\"mcp/response:tools/call:write_file\",\"payload\":"
            + TestEnvelope.DONE
            + "}";

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant files;
    private TestParticipant alice;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        files = testTopic.join("files");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void aLifeInTheOldSpellingIsTheSameLife() throws Exception {
        helper.send(OLD_PROPOSAL);
        assertThat(TestParticipant.kind(helper.awaitId("p-1"))).isEqualTo("mcp/proposal:tools/call:write_file");
        assertThat(TestParticipant.kind(alice.awaitId("p-1"))).isEqualTo("mcp.proposal.tools/call:write_file");
        alice.send(OLD_FULFILMENT);
        JsonNode echo = alice.awaitId("f-1");
        assertThat(TestParticipant.kind(echo)).isEqualTo("mcp/request:tools/call:write_file");
        assertThat(echo.path("correlation_id").asString()).isEqualTo("p-1");
        JsonNode request = files.awaitId("f-1");
        assertThat(TestParticipant.kind(request)).isEqualTo("mcp.request.tools/call:write_file");
        assertThat(request.path("correlationId").asString()).isEqualTo("p-1");
        files.send(OLD_ANSWER);
        files.awaitId("a-1");
        JsonNode answer = helper.awaitId("a-1");
        assertThat(TestParticipant.kind(answer)).isEqualTo("mcp/response:tools/call:write_file");
        assertThat(answer.path("correlation_id").asString()).isEqualTo("f-1");
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
        assertThat(testTopic.proposal("alice", "p-1").path("kind").asString())
                .isEqualTo("mcp.proposal.tools/call:write_file");
    }

    @Test
    void whatIsProposedInOneIsFulfilledInTheOther() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.send(OLD_FULFILMENT);
        assertThat(TestParticipant.kind(helper.awaitId("f-1"))).isEqualTo("mcp.request.tools/call:write_file");
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        assertThat(TestParticipant.kind(alice.awaitId("a-1"))).isEqualTo("mcp/response:tools/call:write_file");
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void theSameInTheOtherSpellingIsTheSameAgain() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.send(OLD_PROPOSAL);
        assertThat(TestParticipant.kind(helper.next())).isEqualTo("mcp/proposal:tools/call:write_file");
    }

    @Test
    void kindsWithoutAnOldFormAndNoticesKeepTheirsBesideTheOldFields() throws Exception {
        TestParticipant old = testTopic.join("helper", "&spelling=v0.1");
        assertThat(TestParticipant.kind(old.welcome())).isEqualTo("system/welcome");
        old.send(OLD_PROPOSAL);
        old.awaitId("p-1");
        alice.sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
        JsonNode rejection = old.awaitId("r-1");
        assertThat(TestParticipant.kind(rejection)).isEqualTo("mcpx.reject.proposal");
        assertThat(rejection.path("correlation_id").asString()).isEqualTo("p-1");
        JsonNode notice = old.next();
        assertThat(TestParticipant.kind(notice)).isEqualTo("system.proposal.rejected");
        assertThat(notice.path("correlation_id").asString()).isEqualTo("p-1");
    }

    @Test
    void theWelcomeListsProposalsInTheOldSpelling() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode welcome = testTopic.join("helper", "&spelling=v0.1").welcome();
        assertThat(welcome.path("payload")
                        .path("proposals")
                        .path(0)
                        .path("kind")
                        .asString())
                .isEqualTo("mcp/proposal:tools/call:write_file");
    }

    @Test
    void aWithdrawalIsSentAndReceivedInTheOldSpelling() throws Exception {
        TestParticipant old = testTopic.join("alice", "&spelling=v0.1");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"w-1\",\"correlation_id\":\"p-1\","
                + "\"kind\":\"mcpx/withdraw:proposal\",\"payload\":{\"reason\":\"done\"}}");
        assertThat(TestParticipant.kind(helper.awaitId("w-1"))).isEqualTo("mcpx/withdraw:proposal");
        JsonNode withdrawal = old.awaitId("w-1");
        assertThat(TestParticipant.kind(withdrawal)).isEqualTo("mcpx/withdraw:proposal");
        assertThat(withdrawal.path("correlation_id").asString()).isEqualTo("p-1");
        assertThat(TestParticipant.kind(files.awaitId("w-1"))).isEqualTo("mcpx.withdraw.proposal");
        assertThat(testTopic.state("p-1")).isEqualTo("withdrawn");
    }

    @Test
    void aReplayIsInTheReadersSpelling() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        TestParticipant old = testTopic.join("carol", "&spelling=v0.1&since=0");
        assertThat(TestParticipant.kind(old.awaitId("p-1"))).isEqualTo("mcp/proposal:tools/call:write_file");
        assertThat(old.awaitId("f-1").path("correlation_id").asString()).isEqualTo("p-1");
    }

    @Test
    void anErrorAboutAProposalIsInTheSpellingOfWhatItRefuses() throws Exception {
        alice.send(OLD_FULFILMENT);
        JsonNode error = alice.await("system/error");
        assertThat(error.path("correlation_id").asString()).isEqualTo("f-1");
        assertThat(error.path("payload").path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("payload").path("proposal").asString()).isEqualTo("p-1");
    }
}
