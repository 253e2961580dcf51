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

/**
 * Tests directed mode: a participant receives broadcasts, envelopes addressed to it, and those about its own proposals,
 * and nothing else.
 */
class DirectedModeTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant bob;
    private TestParticipant files;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        alice = testTopic.join("alice");
        bob = testTopic.join("bob");
        files = testTopic.join("files");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void aProposerHearsWhatConcernsTheirOwnWhomeverItIsAddressedTo() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        bob.sendAndAwaitEcho(status("s-1", "considering", "p-1").to("alice"));
        alice.sendAndAwaitEcho(rejection("r-1", "busy", "p-1").to("bob"));
        bob.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("bob"));
        assertThat(TestParticipant.ids(helper.receivedBefore(files)))
                .containsSubsequence(List.of("s-1", "r-1", "f-1", "a-1"));
        assertThat(TestParticipant.ids(carol.receivedBefore(files))).doesNotContain("p-1", "s-1", "r-1", "f-1", "a-1");
    }

    @Test
    void othersProposalsAreHeardWhereTheyAreBroadcastOrNameMe() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("to-all"));
        helper.sendAndAwaitEcho(proposal("to-carol").to("bob", "carol"));
        helper.sendAndAwaitEcho(proposal("to-bob").to("bob"));
        helper.sendAndAwaitEcho(withdrawal("w-bob", "to-bob").to("bob"));
        helper.sendAndAwaitEcho(withdrawal("w-all", "to-carol"));
        assertThat(TestParticipant.ids(carol.receivedBefore(helper))).containsExactly("to-all", "to-carol", "w-all");
    }

    @Test
    void ofABatchEveryProposerHears() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        TestParticipant proposer = testTopic.join("alice", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        proposer.sendAndAwaitEcho(proposal("p-2").to("bob"));
        bob.sendAndAwaitEcho(rejection("r-1", "busy", "p-1", "p-2").to("carol"));
        assertThat(TestParticipant.ids(helper.receivedBefore(bob))).contains("r-1");
        assertThat(TestParticipant.ids(proposer.receivedBefore(bob))).contains("r-1");
    }

    @Test
    void modeAllHearsEverything() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant carol = testTopic.join("carol");
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        bob.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("bob"));
        assertThat(TestParticipant.ids(carol.receivedBefore(files))).contains("p-1", "f-1", "a-1");
    }
}
