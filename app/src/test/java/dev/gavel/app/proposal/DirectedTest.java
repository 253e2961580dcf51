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
class DirectedTest {
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
        helper.put(proposal("p-1").to("bob"));
        bob.put(status("s-1", "considering", "p-1").to("alice"));
        alice.put(rejection("r-1", "busy", "p-1").to("bob"));
        bob.put(fulfilment("f-1", "p-1"));
        files.put(answer("a-1", "f-1").to("bob"));
        assertThat(TestParticipant.ids(helper.before(files))).containsSubsequence(List.of("s-1", "r-1", "f-1", "a-1"));
        assertThat(TestParticipant.ids(carol.before(files))).doesNotContain("p-1", "s-1", "r-1", "f-1", "a-1");
    }

    @Test
    void othersProposalsAreHeardWhereTheyAreBroadcastOrNameMe() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        helper.put(proposal("to-all"));
        helper.put(proposal("to-carol").to("bob", "carol"));
        helper.put(proposal("to-bob").to("bob"));
        helper.put(withdrawal("w-bob", "to-bob").to("bob"));
        helper.put(withdrawal("w-all", "to-carol"));
        assertThat(TestParticipant.ids(carol.before(helper))).containsExactly("to-all", "to-carol", "w-all");
    }

    @Test
    void ofABatchEveryProposerHears() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        TestParticipant proposer = testTopic.join("alice", "&mode=directed");
        helper.put(proposal("p-1").to("bob"));
        proposer.put(proposal("p-2").to("bob"));
        bob.put(rejection("r-1", "busy", "p-1", "p-2").to("carol"));
        assertThat(TestParticipant.ids(helper.before(bob))).contains("r-1");
        assertThat(TestParticipant.ids(proposer.before(bob))).contains("r-1");
    }

    @Test
    void modeAllHearsEverything() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant carol = testTopic.join("carol");
        helper.put(proposal("p-1").to("bob"));
        bob.put(fulfilment("f-1", "p-1"));
        files.put(answer("a-1", "f-1").to("bob"));
        assertThat(TestParticipant.ids(carol.before(files))).contains("p-1", "f-1", "a-1");
    }
}
