package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.chat;
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
 * Tests replay on a socket: the events after a sequence number follow the welcome, as if they had been received live.
 */
class ReplaySinceTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant files;
    private TestParticipant alice;
    private TestParticipant bob;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        files = testTopic.join("files");
        alice = testTopic.join("alice");
        bob = testTopic.join("bob");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    /** The envelopes that the ledger stores, without the gateway's transient ones. */
    private static List<JsonNode> storedEnvelopes(List<JsonNode> envelopes) {
        return envelopes.stream()
                .filter(each -> !TestParticipant.kind(each).equals("system.presence"))
                .toList();
    }

    private void aLife() throws IOException {
        helper.sendAndAwaitEcho(proposal("p-1").with("x-trace", "7"));
        bob.sendAndAwaitEcho(status("s-1", "considering", "p-1"));
        bob.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("bob"));
        helper.sendAndAwaitEcho(proposal("p-2").to("bob"));
        bob.sendAndAwaitEcho(rejection("r-2", "policy", "p-2").to("helper"));
        helper.sendAndAwaitEcho(proposal("p-3"));
        helper.sendAndAwaitEcho(withdrawal("w-3", "p-3"));
    }

    @Test
    void sinceZeroReplaysEverythingInOrderAsItWasHeard() throws Exception {
        aLife();
        List<JsonNode> live = storedEnvelopes(alice.receivedBefore(helper));
        TestParticipant carol = testTopic.join("carol", "&since=0");
        List<JsonNode> replayed = storedEnvelopes(carol.receivedBeforeProposal(helper));
        assertThat(replayed).isEqualTo(live);
        assertThat(TestParticipant.ids(replayed)).contains("p-1", "s-1", "f-1", "a-1", "p-2", "r-2", "p-3", "w-3");
        assertThat(TestParticipant.kinds(replayed)).contains("system.proposal.rejected");
    }

    @Test
    void ownEnvelopesAreReplayedToo() throws Exception {
        aLife();
        TestParticipant back = testTopic.join("helper", "&since=0");
        assertThat(TestParticipant.ids(storedEnvelopes(back.receivedBeforeProposal(alice))))
                .contains("p-1", "p-2", "p-3", "w-3");
    }

    @Test
    void onlyWhatCameAfterItIsReplayed() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        long seq = testTopic.join("carol").seq();
        helper.sendAndAwaitEcho(proposal("p-2"));
        assertThat(TestParticipant.ids(
                        storedEnvelopes(testTopic.join("carol", "&since=" + seq).receivedBeforeProposal(helper))))
                .containsExactly("p-2");
    }

    @Test
    void sinceNowReplaysNothing() throws Exception {
        aLife();
        long seq = testTopic.join("carol").seq();
        assertThat(storedEnvelopes(testTopic.join("carol", "&since=" + seq).receivedBeforeProposal(helper)))
                .isEmpty();
    }

    @Test
    void withoutSinceNothingIsReplayed() throws Exception {
        aLife();
        assertThat(storedEnvelopes(testTopic.join("carol").receivedBeforeProposal(helper)))
                .isEmpty();
    }

    @Test
    void sinceZeroInATopicWhereNothingHappenedIsValid() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&since=0");
        assertThat(carol.seq()).isZero();
        assertThat(storedEnvelopes(carol.receivedBeforeProposal(helper))).isEmpty();
    }

    @Test
    void aReplayIsFilteredAsIfLive() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        TestParticipant directed = testTopic.join("helper", "&mode=directed");
        helper = directed;
        aLife();
        List<JsonNode> heardByCarol = storedEnvelopes(carol.receivedBefore(directed));
        List<JsonNode> heardByHelper = storedEnvelopes(directed.receivedBefore(alice));
        assertThat(storedEnvelopes(
                        testTopic.join("carol", "&mode=directed&since=0").receivedBeforeProposal(alice)))
                .isEqualTo(heardByCarol);
        List<JsonNode> replayed = storedEnvelopes(
                testTopic.join("helper", "&mode=directed&since=0").receivedBeforeProposal(alice));
        assertThat(TestParticipant.ids(replayed)).containsAll(TestParticipant.ids(heardByHelper));
        assertThat(TestParticipant.ids(replayed)).contains("f-1", "a-1", "s-1", "r-2");
        assertThat(TestParticipant.ids(heardByCarol)).contains("p-1").doesNotContain("a-1", "p-2", "r-2");
    }

    @Test
    void chatAndErrorsAreNotReplayed() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.send(chat("c-1"));
        helper.awaitId("c-1");
        assertThat(bob.sendAndAwaitError(fulfilment("f-1", "p-9")).path("error").asString())
                .isEqualTo("unknown_proposal");
        assertThat(TestParticipant.ids(
                        storedEnvelopes(testTopic.join("bob", "&since=0").receivedBeforeProposal(helper))))
                .containsExactly("p-1");
    }

    @Test
    void theSeqCountsTheTopicsLifecycleEvents() throws Exception {
        long before = testTopic.join("carol").seq();
        alice.send(chat("c-1"));
        assertThat(TestParticipant.ids(helper.receivedBefore(alice))).contains("c-1");
        assertThat(testTopic.join("carol").seq()).isEqualTo(before);
        helper.sendAndAwaitEcho(proposal("p-1"));
        assertThat(testTopic.join("carol").seq()).isEqualTo(before + 1);
        helper.sendAndAwaitEcho(withdrawal("w-1", "p-1"));
        assertThat(testTopic.join("carol").seq()).isEqualTo(before + 2);
        assertThat(testTopic.get("carol", "/topics/ops").body().path("seq").asLong())
                .isEqualTo(before + 2);
    }

    @Test
    void aSeqThatTheTopicHasNotReachedMeansResync() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        TestParticipant carol = testTopic.join("carol", "&since=1000000");
        JsonNode resync = carol.await("system.resync");
        assertThat(resync.path("from").asString()).isEqualTo("system:gateway");
        assertThat(resync.path("payload").path("seq").asLong()).isEqualTo(carol.seq());
        helper.sendAndAwaitEcho(proposal("p-2"));
        assertThat(TestParticipant.id(carol.awaitId("p-2"))).isEqualTo("p-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", ""})
    void aSinceThatIsNoSeqIsABadRequest(String since) throws Exception {
        assertThat(testTopic.handshakeStatus("carol", "topic=ops&since=" + since))
                .isEqualTo(400);
    }

    @Test
    void aLongReplayIsWholeAndWhatIsLiveComesAfterwards() throws Exception {
        int all = 1500;
        for (int i = 0; i < all; i++) {
            helper.send(proposal("p-" + i));
            if (i % 500 == 499) {
                helper.awaitId("p-" + i);
            }
        }
        TestParticipant carol = testTopic.join("carol", "&since=0");
        helper.send(proposal("live"));
        for (int i = 0; i < all; i++) {
            assertThat(TestParticipant.id(carol.next())).isEqualTo("p-" + i);
        }
        assertThat(TestParticipant.id(carol.awaitId("live"))).isEqualTo("live");
    }

    @Test
    void whoTakesItsTimeToCatchUpIsNotDropped() throws Exception {
        int all = 1600;
        String large = TestEnvelope.WRITE.replace("/etc/motd", "/etc/" + "x".repeat(10_000));
        for (int i = 0; i < all; i++) {
            helper.send(proposal("p-" + i).payload(large));
            if (i % 200 == 199) {
                helper.awaitId("p-" + i);
            }
        }
        TestParticipant carol = testTopic.join("carol", "&since=0");
        // More than a connection's queue holds; a live reader would have been dropped as too slow long before the end.
        for (int i = 0; i < 100; i++) {
            assertThat(testTopic.proposal("files", "p-" + i).path("state").asString())
                    .isEqualTo("open");
        }
        for (int i = 0; i < all; i++) {
            assertThat(TestParticipant.id(carol.awaitId("p-" + i))).isEqualTo("p-" + i);
        }
    }
}
