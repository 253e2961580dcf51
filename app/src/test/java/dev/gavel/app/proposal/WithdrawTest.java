package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
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

/** Tests withdrawal: only the proposer may withdraw, and no confirmation is needed. */
class WithdrawTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void theProposerWithdrawsAndEverybodyHears() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(withdrawal("w-1", "p-1").payload("reason", "No longer needed"));
        assertThat(bob.awaitId("w-1").path("payload").path("reason").asString()).isEqualTo("No longer needed");
        JsonNode shown = testTopic.proposal("bob", "p-1");
        assertThat(shown.path("state").asString()).isEqualTo("withdrawn");
        JsonNode last = shown.path("timeline").values().stream().toList().getLast();
        assertThat(last.path("event").asString()).isEqualTo("withdrawn");
        assertThat(last.path("by").asString()).isEqualTo("helper");
        assertThat(last.path("reason").asString()).isEqualTo("No longer needed");
    }

    @Test
    void noReasonIsNeededAndNothingIsSentBackButTheEcho() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(withdrawal("w-1", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("withdrawn");
        List<JsonNode> after = helper.receivedBefore(bob);
        assertThat(after.stream().filter(each -> TestParticipant.kind(each).startsWith("system.proposal")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "carol"})
    void nobodyElseMay(String other) throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant testParticipant = testTopic.join(other);
        JsonNode error = testParticipant.sendAndAwaitError(withdrawal("w-1", "p-1"));
        assertThat(error.path("error").asString()).isEqualTo("not_proposer");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(TestParticipant.ids(bob.receivedBefore(testParticipant))).doesNotContain("w-1");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void whoHasNotTheCapabilityIsToldThatFirst() throws Exception {
        assertThat(testTopic
                        .join("bob")
                        .sendAndAwaitError(withdrawal("w-1", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
    }

    @Test
    void whatNobodyProposedIsUnknown() throws Exception {
        JsonNode error = helper.sendAndAwaitError(withdrawal("w-1", "p-9"));
        assertThat(error.path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo("p-9");
    }
}
