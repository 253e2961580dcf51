package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Answer;
import dev.gavel.client.Decision;
import dev.gavel.client.DecisionReceipt;
import dev.gavel.client.Participant;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that a call does not run while its caller is disconnected, and that an approval waits for the caller. */
@SuppressWarnings("NullAway.Init") // set before each test
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class HeldApprovalTest {
    private static final String ARGUMENTS = "{\"path\":\"x\"}";
    private static final String DONE = "delete_file done: x";
    private static final Json SCHEMA = Json.object();

    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    /** Makes a call, and cuts its connection. Returns its proposal. */
    private String callAndLoseConnection(String identity) throws Exception {
        PendingResponse call = mcpTestTopic.client(identity).begin("tools/call", params("delete_file", ARGUMENTS));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        mcpTestTopic.awaitCallerDisconnected(id);
        return id;
    }

    private Json approveAs(String identity, String id) throws Exception {
        return mcpTestTopic.client(identity).call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true}");
    }

    @Test
    void theCallRunsOnceWhenTheCallerCallsAgain() throws Exception {
        String id = callAndLoseConnection("patient");
        assertThat(mcpTestTopic.proposal(id).at("guidance").at("status").text())
                .contains("the caller lost its connection")
                .contains("an approval takes effect only when it calls again");
        assertThat(text(approveAs("alice", id))).contains("when the disconnected caller calls again");
        Json held = mcpTestTopic.proposal(id);
        assertThat(held.at("state").text()).isEqualTo("open");
        assertThat(held.at("heldApproval").at("by").text()).isEqualTo("alice");
        assertThat(held.at("guidance").at("status").text()).startsWith("approved by alice at ");
        assertThat(text(approveAs("alice", id))).contains("already approved by alice");
        assertThat(mcpTestTopic.ran).isEmpty();

        Json result = mcpTestTopic.client("patient").call("delete_file", ARGUMENTS);
        assertThat(text(result)).isEqualTo(DONE);
        assertThat(result.at("_meta").at("dev.gavel/joined").isTrue()).isTrue();
        assertThat(mcpTestTopic.ran).hasSize(1);
        assertThat(mcpTestTopic.proposals()).hasSize(1);
        assertThat(mcpTestTopic.proposal(id).at("timeline").elements().stream()
                        .map(entry -> entry.at("event").text()))
                .containsExactly(
                        "proposed",
                        "caller_disconnected",
                        "approval_held",
                        "caller_waits",
                        "fulfilled",
                        "answered",
                        "forwarded");
    }

    @Test
    void nothingRunsForACallerThatDoesNotReturn() throws Exception {
        String id = callAndLoseConnection("helper");
        mcpTestTopic.approve(id);
        mcpTestTopic.awaitState(id, "withdrawn");
        assertThat(mcpTestTopic.proposal(id).at("guidance").at("status").text())
                .contains("withdrawn by the gateway")
                .contains("did not call again in time");
        assertThat(mcpTestTopic.ran).isEmpty();
        mcpTestTopic.client("helper").begin("tools/call", params("delete_file", ARGUMENTS));
        assertThat(mcpTestTopic.awaitOpenProposal()).isNotEqualTo(id);
    }

    @Test
    void aClientThatResumesItsStreamLearnsToCallAgain() throws Exception {
        TestMcpClient patient = mcpTestTopic.client("patient");
        PendingResponse call = patient.begin("tools/call", params("delete_file", ARGUMENTS));
        String id = mcpTestTopic.awaitOpenProposal();
        await().until(() -> !call.lastEvent.isEmpty());
        call.cut();
        mcpTestTopic.awaitCallerDisconnected(id);
        assertThat(text(patient.listen(call.lastEvent).answer().at("result")))
                .startsWith("Pending:")
                .contains("call delete_file again");
        mcpTestTopic.approve(id);
        assertThat(text(patient.call("delete_file", ARGUMENTS))).isEqualTo(DONE);
    }

    private void restart() throws Exception {
        mcpTestTopic.close();
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @Test
    void aKeptProposalWaitsForItsCallerEvenAfterARestart() throws Exception {
        String id = callAndLoseConnection("keeping");
        mcpTestTopic.approve(id);
        restart();
        assertThat(text(mcpTestTopic.client("keeping").call("delete_file", ARGUMENTS)))
                .isEqualTo(DONE);
        assertThat(mcpTestTopic.ran).hasSize(1);
        assertThat(mcpTestTopic.proposals()).hasSize(1);
        assertThat(mcpTestTopic.proposal(id).at("timeline").raw())
                .as("the caller was not told to call again")
                .doesNotContain("will call again");
    }

    @Test
    void aClientThatIsDisconnectedWhenTheServerStopsIsNotSaidToCallAgain() throws Exception {
        PendingResponse call = mcpTestTopic.client("patient").begin("tools/call", params("delete_file", ARGUMENTS));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
        restart();
        Json proposal = mcpTestTopic.proposal(id);
        assertThat(proposal.at("callerDisconnected").isPresent()).isTrue();
        assertThat(proposal.at("timeline").raw()).doesNotContain("will call again");
        mcpTestTopic.approve(id);
        assertThat(text(mcpTestTopic.client("patient").call("delete_file", ARGUMENTS)))
                .isEqualTo(DONE);
    }

    @Test
    void aJavaReviewerLearnsThatTheCallHasNotRun() throws Exception {
        String id = callAndLoseConnection("patient");
        Participant alice = mcpTestTopic.connect("alice");
        DecisionReceipt receipt =
                alice.decide(alice.proposal(id), Decision.approve()).get();
        assertThat(receipt.closed()).isFalse();
        assertThat(receipt.status()).contains("runs when the caller calls again");
        assertThat(text(mcpTestTopic.client("patient").call("delete_file", ARGUMENTS)))
                .isEqualTo(DONE);
    }

    @Test
    void aReviewerThatRunsTheCallItselfWaitsForTheCallerToo() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Participant alice = mcpTestTopic.serve("alice", new Tools().tool("delete_file", _ -> {
                    runs.incrementAndGet();
                    return Answer.text("deleted by alice");
                }));
        String id = callAndLoseConnection("patient");
        alice.decide(alice.proposal(id), Decision.approve().runBy("alice")).get();
        alice.decide(alice.proposal(id), new Decision.ReportStatus("considering", Optional.empty()))
                .get();
        assertThat(runs)
                .as("the call does not run while its caller is disconnected")
                .hasValue(0);
        assertThat(text(mcpTestTopic.client("patient").call("delete_file", ARGUMENTS)))
                .startsWith("deleted by alice");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aHeldEditRunsAsTheReviewerChangedIt() throws Exception {
        String id = callAndLoseConnection("patient");
        mcpTestTopic.approve(id, "{\"path\":\"y\"}");
        assertThat(text(mcpTestTopic.client("patient").call("delete_file", ARGUMENTS)))
                .startsWith("delete_file done: y");
        assertThat(mcpTestTopic.ran).containsExactly("files delete_file {\"path\":\"y\"}");
    }

    @Test
    void aRejectionAfterAHeldApprovalIsWhatTheCallerGets() throws Exception {
        String id = callAndLoseConnection("patient");
        mcpTestTopic.approve(id);
        mcpTestTopic.client("alice").call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"policy\"}");
        assertThat(text(mcpTestTopic.client("patient").call("delete_file", ARGUMENTS)))
                .startsWith("Not run: rejected by alice");
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void aHeldApprovalDoesNotRunAnotherDefinition() throws Exception {
        Participant server =
                mcpTestTopic.serve("third", new Tools().tool("wipe", "Wipes x.", SCHEMA, _ -> Answer.text("1")));
        PendingResponse call = mcpTestTopic.client("patient").begin("tools/call", params("wipe", "{}"));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        mcpTestTopic.awaitCallerDisconnected(id);
        mcpTestTopic.approve(id);
        server.close();
        mcpTestTopic.serve("third", new Tools().tool("wipe", "Wipes everything.", SCHEMA, _ -> Answer.text("2")));
        await().until(() -> mcpTestTopic.proposal(id).at("tools").raw().contains("everything"));

        PendingResponse again = mcpTestTopic.client("patient").begin("tools/call", params("wipe", "{}"));
        Json proposal = await().until(
                        () -> mcpTestTopic.proposal(id),
                        it -> it.at("timeline").raw().contains("held_approval_dropped"));
        assertThat(proposal.at("state").text()).isEqualTo("open");
        assertThat(proposal.at("heldApproval").isPresent()).isFalse();
        assertThat(proposal.at("timeline").raw())
                .contains("the definition of wipe on third changed since the approval");
        mcpTestTopic.client("alice").call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"policy\"}");
        assertThat(text(again.answer().at("result"))).startsWith("Not run: rejected by alice");
    }
}
