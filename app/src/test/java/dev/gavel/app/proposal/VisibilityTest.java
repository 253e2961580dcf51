package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.envelope;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests topics with {@code visibility: involved}: only the proposer, possible deciders and addressees read a proposal.
 * Carol may reject, but cannot approve, so she is not involved; neither is the second tool server, {@code search}.
 */
class VisibilityTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant helper;
    private TestParticipant files;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("topic"), "visibility: involved");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
        files = testTopic.join("files");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    /** Runs a proposal from the proposal to the result. */
    private void run() throws IOException {
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
    }

    @Test
    void theOthersReceiveNothingOverSocketsStreamsAndPolls() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&mode=all");
        run();

        assertThat(TestParticipant.ids(carol.receivedBefore(alice))).doesNotContain("p-1", "f-1", "a-1");
        assertThat(testTopic.poll("search", 0, 0).path("messages").toString()).doesNotContain("p-1", "f-1", "a-1");
        assertThat(TestParticipant.ids(helper.receivedBefore(alice))).contains("f-1", "a-1");
    }

    @Test
    void aReplayHasOnlyWhatInvolvesItsReader() throws Exception {
        run();
        TestParticipant carol = testTopic.join("carol", "&since=0");
        TestParticipant bob = testTopic.join("bob", "&since=0");
        helper.sendAndAwaitEcho(proposal("p-2").to("carol"));

        assertThat(TestParticipant.ids(carol.receivedBefore(helper)))
                .contains("p-2")
                .doesNotContain("p-1", "f-1", "a-1");
        assertThat(TestParticipant.ids(bob.receivedBefore(helper))).contains("p-1", "f-1", "a-1", "p-2");
    }

    @Test
    void theOthersAreNotToldHowManyProposalsAreOpen() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));

        assertThat(testTopic.get("carol", "/topics").body().at("/topics/0/open").asInt(-1))
                .isZero();
        for (String involved : new String[] {"helper", "alice", "bob"}) {
            assertThat(testTopic
                            .get(involved, "/topics")
                            .body()
                            .at("/topics/0/open")
                            .asInt())
                    .as(involved)
                    .isEqualTo(1);
        }
    }

    @Test
    void theOthersCannotReadItOverHttp() throws Exception {
        run();

        assertThat(testTopic.get("carol", "/topics/ops/proposals/p-1").status()).isEqualTo(404);
        assertThat(testTopic.get("carol", "/topics/ops/proposals").body().path("proposals"))
                .isEmpty();
        for (String involved : new String[] {"helper", "alice", "bob", "files"}) {
            assertThat(testTopic.proposal(involved, "p-1").path("outcome").asString())
                    .isEqualTo("succeeded");
            assertThat(testTopic.get(involved, "/topics/ops/proposals").body().path("proposals"))
                    .hasSize(1);
        }
    }

    @Test
    void noticesOfTheGatewayReachOnlyTheInvolved() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&mode=all");
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(rejection("r-1", "unsafe", "p-1"));
        helper.await("system.proposal.rejected", "p-1");

        assertThat(carol.receivedBefore(alice))
                .noneMatch(each -> each.toString().contains("p-1"));
    }

    @Test
    void forTheOthersTheProposalDoesNotExist() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));

        for (TestEnvelope envelope : new TestEnvelope[] {
            rejection("r-1", "unsafe", "p-1"), status("s-1", "considering", "p-1"), withdrawal("w-1", "p-1")
        }) {
            TestTopic.Answer answer = testTopic.post("carol", envelope);
            assertThat(answer.status()).as(envelope.toString()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("unknown_proposal");
            assertThat(answer.body().toString()).doesNotContain("helper", "alice", "open");
        }
        assertThat(testTopic.proposal("helper", "p-1").path("timeline")).hasSize(1);
    }

    @Test
    void aDirectCallIsReadByCallerAndServerOnly() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&mode=all");
        TestParticipant bob = testTopic.join("bob", "&mode=all");
        alice.send(envelope("c-1", "mcp.request.tools/call:write_file", TestEnvelope.WRITE)
                .to("files"));
        files.awaitId("c-1");
        files.send(answer("d-1", "c-1").to("alice"));
        alice.awaitId("d-1");

        assertThat(TestParticipant.ids(carol.receivedBefore(alice))).doesNotContain("c-1", "d-1");
        assertThat(TestParticipant.ids(bob.receivedBefore(alice))).doesNotContain("c-1", "d-1");
    }

    @Test
    void byDefaultAllMembersReadEverything() throws Exception {
        testTopic.close();
        testTopic = new TestTopic(data.resolve("default"));
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
        files = testTopic.join("files");
        TestParticipant carol = testTopic.join("carol");
        run();

        assertThat(TestParticipant.ids(carol.receivedBefore(alice))).contains("p-1", "f-1", "a-1");
        assertThat(testTopic.proposal("carol", "p-1").path("outcome").asString())
                .isEqualTo("succeeded");
    }
}
