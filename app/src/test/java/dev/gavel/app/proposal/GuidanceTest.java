package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.unfulfillable;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests guidance: status, whose move it is, next step, since and until; for the proposer and for a reviewer, in each
 * state.
 */
class GuidanceTest {
    private static final String TIME = "(\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d";

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private JsonNode guidance(String reader, String id) throws Exception {
        return testTopic.proposal(reader, id).path("guidance");
    }

    private static String status(JsonNode guidance) {
        return guidance.path("status").asString();
    }

    private static String next(JsonNode guidance) {
        return guidance.path("nextStep").asString();
    }

    @Test
    void openWithReviewersHere() throws Exception {
        testTopic.join("alice");
        testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode toProposer = guidance("helper", "p-1");
        assertThat(status(toProposer)).matches("waiting for alice or bob \\(connected\\); expires " + TIME);
        assertThat(TestParticipant.texts(toProposer.path("mustAct"), "who")).containsExactly("alice", "bob");
        assertThat(TestParticipant.texts(toProposer.path("waitingOn"))).isEmpty();
        assertThat(next(toProposer)).contains("Wait for a decision").contains("withdraw");
        JsonNode shown = testTopic.proposal("helper", "p-1");
        assertThat(toProposer.path("since"))
                .isEqualTo(shown.path("timeline").path(0).path("at"));
        assertThat(toProposer.path("until")).isEqualTo(shown.path("expiresAt"));
        assertThat(next(guidance("bob", "p-1")))
                .contains("To approve it")
                .contains("mcp.request.tools/call:write_file")
                .contains("'p-1'")
                .contains("mcpx.reject.proposal");
        assertThat(next(guidance("carol", "p-1"))).contains("If you object").contains("alice or bob");
        assertThat(next(guidance("files", "p-1")))
                .contains("Nothing for you to do")
                .contains("alice or bob");
    }

    @Test
    void openWithNobodyHere() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode toProposer = guidance("helper", "p-1");
        assertThat(status(toProposer)).startsWith("waiting for alice or bob (not connected)");
        assertThat(toProposer.path("mustAct").size()).isZero();
        assertThat(TestParticipant.texts(toProposer.path("waitingOn"))).containsExactly("alice", "bob");
        assertThat(next(toProposer)).contains("Ask alice or bob to decide, or withdraw");
        assertThat(next(guidance("alice", "p-1"))).contains("To approve it");
    }

    @Test
    void openWhereNobodyMayDoIt() throws Exception {
        helper.sendAndAwaitEcho(unfulfillable("p-1"));
        assertThat(status(guidance("helper", "p-1")))
                .startsWith("no member of this topic is allowed to approve this call; expires ");
        assertThat(next(guidance("helper", "p-1")))
                .contains("withdraw the proposal")
                .contains("No member of this topic is allowed");
    }

    @Test
    void openWithSomethingSaidOfIt() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(rejection("r-1", "busy", "p-1"));
        bob.sendAndAwaitEcho(TestEnvelope.status("s-1", "considering", "p-1").payload("note", "reading it"));
        assertThat(status(guidance("helper", "p-1")))
                .matches("waiting for bob \\(connected\\); alice abstained \\(busy\\); "
                        + "status from bob: considering \\(reading it\\); expires " + TIME);
    }

    @Test
    void theTargetIsWaitedForThoughAnotherIsHere() throws Exception {
        testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        assertThat(status(guidance("helper", "p-1")))
                .contains("waiting for bob (not connected)")
                .contains("alice (connected) can also decide");
    }

    @Test
    void fulfilledAndWaitingForTheAnswer() throws Exception {
        testTopic.join("files");
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic.join("alice").sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        JsonNode toProposer = guidance("helper", "p-1");
        assertThat(status(toProposer))
                .matches("approved by alice at " + TIME + "; waiting for files to respond by " + TIME);
        assertThat(TestParticipant.texts(toProposer.path("mustAct"), "who")).containsExactly("files");
        assertThat(next(toProposer)).contains("waiting for files to respond");
        assertThat(Instant.parse(toProposer.path("until").asString())).isAfter(Instant.EPOCH);
        assertThat(next(guidance("files", "p-1")))
                .contains("mcp.response.tools/call:write_file")
                .contains("'f-1'");
        assertThat(next(guidance("bob", "p-1"))).contains("Nothing for you to do");
    }

    @Test
    void fulfilledAndAnswered() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-2", "p-2"));
        files.sendAndAwaitEcho(answer("a-1", "f-1"));
        files.sendAndAwaitEcho(answer("a-2", "f-2")
                .payload("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"n\"}}"));
        assertThat(status(guidance("helper", "p-1"))).startsWith("succeeded: approved by alice at ");
        assertThat(next(guidance("helper", "p-1"))).contains("the call succeeded");
        assertThat(status(guidance("helper", "p-2"))).startsWith("failed: approved by alice at ");
        assertThat(next(guidance("helper", "p-2"))).contains("propose it again");
        assertThat(next(guidance("bob", "p-2"))).contains("Nothing to do");
    }

    @Test
    void fulfilledAndUnknown() throws Exception {
        try (TestTopic hasty = new TestTopic(data.resolve("hasty"), "answer: 1s")) {
            hasty.join("files");
            TestParticipant alice = hasty.join("alice");
            hasty.join("helper").sendAndAwaitEcho(proposal("p-1"));
            alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
            await().until(() -> hasty.outcome("p-1").equals("unknown"));
            JsonNode guidance = hasty.proposal("helper", "p-1").path("guidance");
            assertThat(status(guidance)).contains("files did not respond in time");
            assertThat(next(guidance)).contains("Check with files");
        }
    }

    @Test
    void rejected() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic
                .join("alice")
                .sendAndAwaitEcho(rejection("r-1", "policy", "p-1").payload("note", "not on Fridays"));
        JsonNode toProposer = guidance("helper", "p-1");
        assertThat(status(toProposer)).matches("rejected at " + TIME + " by alice \\(policy: not on Fridays\\)");
        assertThat(next(toProposer)).contains("Read the reasons");
        assertThat(toProposer.path("mustAct").size()).isZero();
        assertThat(toProposer.has("until")).isFalse();
        assertThat(next(guidance("bob", "p-1"))).contains("Nothing to do");
    }

    @Test
    void withdrawn() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(withdrawal("w-1", "p-1").payload("reason", "No longer needed"));
        assertThat(status(guidance("bob", "p-1"))).matches("withdrawn by helper at " + TIME + ": No longer needed");
        assertThat(next(guidance("helper", "p-1"))).contains("Nothing to do");
        assertThat(next(guidance("bob", "p-1"))).contains("Nothing to do");
    }

    @Test
    void expired() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").ttl(1));
        helper.await("system.proposal.expired", "p-1");
        assertThat(status(guidance("helper", "p-1"))).matches("expired at " + TIME + ": no reviewer decided in time");
        assertThat(next(guidance("helper", "p-1"))).contains("propose it again");
        assertThat(next(guidance("bob", "p-1"))).contains("Nothing to do");
    }

    @Test
    void theWelcomeGuidesItsReader() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode toBob = testTopic
                .join("bob")
                .welcome()
                .path("payload")
                .path("proposals")
                .path(0)
                .path("guidance");
        assertThat(next(toBob)).contains("To approve it");
        JsonNode toHelper = testTopic
                .join("helper")
                .welcome()
                .path("payload")
                .path("proposals")
                .path(0)
                .path("guidance");
        assertThat(next(toHelper)).contains("Wait for a decision");
    }
}
