package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests that a proposal's life is stored in the ledger, not in the gateway: another process continues where one
 * stopped.
 */
class RestartTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"), "answer: 3s");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void whatWasOpenIsOpenAndCanBeDecided() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        for (String id : List.of("p-1", "p-2", "p-3")) {
            helper.sendAndAwaitEcho(proposal(id));
        }
        testTopic.restart();
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        assertThat(alice.openProposals()).containsExactlyInAnyOrder("p-1", "p-2", "p-3");
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        alice.sendAndAwaitEcho(rejection("r-2", "policy", "p-2"));
        testTopic.join("helper").sendAndAwaitEcho(withdrawal("w-3", "p-3"));
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
        assertThat(testTopic.state("p-2")).isEqualTo("rejected");
        assertThat(testTopic.state("p-3")).isEqualTo("withdrawn");
    }

    @Test
    void whatEndedStaysAsItEnded() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            helper.sendAndAwaitEcho(proposal(id));
        }
        alice.sendAndAwaitEcho(fulfilment("f-1", "fulfilled"));
        files.sendAndAwaitEcho(answer("a-1", "f-1"));
        alice.sendAndAwaitEcho(rejection("r-1", "policy", "rejected"));
        helper.sendAndAwaitEcho(withdrawal("w-1", "withdrawn"));
        JsonNode before = testTopic.proposal("carol", "fulfilled");
        testTopic.restart();
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            assertThat(testTopic.state(id)).isEqualTo(id);
        }
        JsonNode after = testTopic.proposal("carol", "fulfilled");
        assertThat(after.path("outcome").asString()).isEqualTo("succeeded");
        assertThat(after.path("timeline")).isEqualTo(before.path("timeline"));
        TestParticipant late = testTopic.join("alice");
        assertThat(late.sendAndAwaitError(fulfilment("f-2", "fulfilled"))
                        .path("error")
                        .asString())
                .isEqualTo("already_fulfilled");
    }

    @Test
    void theSeqGoesOnAndSinceReachesBack() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1"));
        long seq = testTopic.join("carol").seq();
        testTopic.restart();
        assertThat(testTopic.join("carol").seq()).isGreaterThanOrEqualTo(seq);
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-2"));
        TestParticipant carol = testTopic.join("carol", "&since=0");
        assertThat(carol.seq()).isGreaterThan(seq);
        assertThat(TestParticipant.id(carol.awaitId("p-1"))).isEqualTo("p-1");
        assertThat(TestParticipant.id(carol.awaitId("p-2"))).isEqualTo("p-2");
        TestParticipant resumed = testTopic.join("carol", "&since=" + seq);
        assertThat(TestParticipant.ids(resumed.receivedBeforeProposal(testTopic.join("helper"))))
                .contains("p-2")
                .doesNotContain("p-1");
    }

    @Test
    void whatIsOpenStillExpires() throws Exception {
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1").ttl(4));
        testTopic.restart();
        TestParticipant carol = testTopic.join("carol", "&since=0");
        carol.await("system.proposal.expired", "p-1");
        assertThat(testTopic.state("p-1")).isEqualTo("expired");
    }

    @Test
    void whatExpiredMeanwhileIsExpiredAtTheStart() throws Exception {
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1").ttl(1));
        Instant expiry = Instant.parse(
                testTopic.proposal("alice", "p-1").path("expiresAt").asString());
        testTopic.stop();
        await().until(() -> Instant.now().isAfter(expiry));
        testTopic.start();
        assertThat(testTopic.state("p-1")).isEqualTo("expired");
        TestParticipant alice = testTopic.join("alice", "&since=0");
        assertThat(alice.openProposals()).isEmpty();
        alice.await("system.proposal.expired", "p-1");
        assertThat(alice.sendAndAwaitError(rejection("r-1", "policy", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("proposal_closed");
    }

    @Test
    void anUnansweredFulfilmentStillBecomesUnknownAndALateAnswerSetsIt() throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        testTopic.restart();
        TestParticipant files = testTopic.join("files");
        await().until(() -> testTopic.outcome("p-1").equals("unknown"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void anAnswerAfterTheRestartIsTheAnswer() throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        testTopic.restart();
        TestParticipant search = testTopic.join("search");
        assertThat(search.sendAndAwaitError(answer("a-0", "f-1")).path("error").asString())
                .isEqualTo("not_addressee");
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        testTopic.join("files").sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        helper.awaitId("a-1");
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void whoWasUnreachableIsToldWhenSomebodyComesAfterwards() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.await("system.proposal.unreachable", "p-1");
        testTopic.restart();
        TestParticipant back = testTopic.join("helper");
        testTopic.join("bob");
        back.await("system.proposal.reachable", "p-1");
    }

    @Test
    void thatEverybodyLeavesAProcessThatEndsMeansNothing() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        testTopic.join("files");
        testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1"));
        // None of them answers the closing handshake, so that the stop takes longer than any grace period.
        testTopic.kill();
        testTopic.start();
        JsonNode timeline = testTopic.proposal("helper", "p-1").path("timeline");
        assertThat(timeline.valueStream().map(step -> step.path("event").asString()))
                .containsExactly("proposed");
    }
}
