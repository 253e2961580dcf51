package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
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

/**
 * Tests that a topic without a ledger is a pure relay: it checks capabilities, and has no state and no further rules.
 */
class LedgerOffTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant bob;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        alice = testTopic.joinTopic("alice", "plain", "");
        bob = testTopic.joinTopic("bob", "plain", "");
        helper = testTopic.joinTopic("helper", "plain", "");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void lifecycleEnvelopesAreRelayedAndNotEchoed() throws Exception {
        helper.send(proposal("p-1").ttl(1));
        bob.awaitId("p-1");
        bob.send(fulfilment("f-1", "p-1").to("alice"));
        bob.send(fulfilment("f-2", "p-1").to("alice"));
        bob.send(fulfilment("f-3", "p-9"));
        bob.send(status("s-1", "queued", "p-9"));
        bob.send(rejection("r-1", "policy", "p-1"));
        helper.send(withdrawal("w-1", "p-1"));
        helper.send(proposal("p-1"));
        List<String> heard = TestParticipant.ids(alice.receivedBefore(bob));
        assertThat(heard).contains("p-1").containsSubsequence("f-1", "f-2", "f-3", "s-1", "r-1");
        alice.send(answer("a-1", "f-1").to("bob"));
        assertThat(TestParticipant.ids(bob.receivedBefore(alice)))
                .contains("a-1")
                .doesNotContain("f-1", "f-2", "f-3", "s-1", "r-1");
        List<JsonNode> back = helper.receivedBefore(alice);
        assertThat(TestParticipant.ids(back)).doesNotContain("p-1", "w-1");
        assertThat(TestParticipant.kinds(back))
                .noneMatch(kind -> kind.startsWith("system.") && !kind.equals("system.presence"));
    }

    @Test
    void capabilitiesAreStillHeld() throws Exception {
        assertThat(helper.sendAndAwaitError(fulfilment("f-1", "p-1").to("alice"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
        assertThat(helper.sendAndAwaitError(proposal("p-1").ttl(0))
                        .path("error")
                        .asString())
                .isEqualTo("malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/topics/plain/proposals", "/topics/plain/proposals/p-1"})
    void thereAreNoProposalsToShow(String path) throws Exception {
        helper.send(proposal("p-1"));
        bob.awaitId("p-1");
        TestTopic.Answer answer = testTopic.get("helper", path);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.type()).contains("application/problem+json");
    }

    @Test
    void theWelcomeHasNoneAndItsSeqIsZero() throws Exception {
        helper.send(proposal("p-1"));
        bob.awaitId("p-1");
        TestParticipant late = testTopic.joinTopic("alice", "plain", "");
        assertThat(late.openProposals()).isEmpty();
        assertThat(late.seq()).isZero();
    }

    @Test
    void aPostIsTakenWithoutAMemory() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(testTopic
                            .post("helper", "plain", proposal("p-1").toString())
                            .status())
                    .isEqualTo(202);
        }
        assertThat(TestParticipant.ids(bob.receivedBefore(alice)).stream().filter("p-1"::equals))
                .hasSize(2);
    }

    @Test
    void theTopicBesideItHasOneByDefault() throws Exception {
        helper.send(proposal("p-1"));
        bob.awaitId("p-1");
        assertThat(testTopic
                        .get("helper", "/topics/ops/proposals")
                        .body()
                        .path("proposals")
                        .size())
                .isZero();
        assertThat(testTopic.post("helper", proposal("p-1")).status()).isEqualTo(202);
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }
}
