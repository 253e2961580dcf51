package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that the gateway withdraws the open proposals of an identity that has lost its access. */
@Timeout(60)
class EndedAccessTest {
    private static final String NEWCOMER =
            "{\"name\":\"newcomer\",\"topic\":\"ops\",\"capabilities\":[\"mcp.proposal.*\",\"chat.*\"]}";

    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private void delete(String path) throws Exception {
        TestTopic.Answer answer = testTopic.sendRequest("DELETE", "alice", path, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private void assertWithdrawnByGateway(String id, String reason) throws Exception {
        JsonNode shown = testTopic.proposal("bob", id);
        assertThat(shown.path("state").asString()).isEqualTo("withdrawn");
        assertThat(shown.path("guidance").path("status").asString())
                .contains("withdrawn by the gateway")
                .contains(reason);
        JsonNode last = shown.path("timeline").values().stream().toList().getLast();
        assertThat(last.path("event").asString()).isEqualTo("withdrawn");
        assertThat(last.path("by").asString()).isEqualTo("system:gateway");
        assertThat(last.path("reason").asString()).isEqualTo(reason);
    }

    @Test
    void revokingTheLastTokenWithdrawsOpenProposals() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        testTopic.post("alice", proposal("p-2"));
        delete("/tokens/helper");
        assertWithdrawnByGateway("p-1", "helper's last token was revoked");
        JsonNode notice = bob.await("system.proposal.withdrawn", "p-1");
        assertThat(notice.path("from").asString()).isEqualTo("system:gateway");
        assertThat(notice.path("payload").path("reason").asString()).isEqualTo("helper's last token was revoked");
        assertThat(testTopic.state("p-2")).isEqualTo("open");
    }

    @Test
    void aWithdrawnProposalCannotBeApproved() throws Exception {
        testTopic.join("files");
        testTopic.post("helper", proposal("p-1"));
        delete("/tokens/helper");
        TestTopic.Answer approval =
                testTopic.post("bob", fulfilment("f-1", "p-1").to("files"));
        assertThat(approval.code()).isEqualTo("proposal_closed");
    }

    @Test
    void aReplayAfterARestartContainsTheNotice() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        delete("/tokens/helper");
        testTopic.restart();
        assertThat(testTopic
                        .join("bob", "&since=0")
                        .await("system.proposal.withdrawn", "p-1")
                        .path("payload")
                        .path("reason")
                        .asString())
                .isEqualTo("helper's last token was revoked");
        assertWithdrawnByGateway("p-1", "helper's last token was revoked");
    }

    @Test
    void removingAMemberWithdrawsItsProposals() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        delete("/topics/ops/members/helper");
        assertWithdrawnByGateway("p-1", "helper is no longer a member of this topic");
    }

    @Test
    void exchangingATokenWithdrawsNothing() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        testTopic.makeToken("helper", "{\"name\":\"helper\"}");
        delete("/tokens/helper/configured");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        testTopic.post("helper", proposal("p-2"));
        assertThat(testTopic.state("p-2")).isEqualTo("open");
    }

    @Test
    void anExpiredLastTokenWithdrawsOpenProposals() throws Exception {
        testTopic.makeToken("newcomer", NEWCOMER.replace("}", ",\"expiresIn\":\"2s\"}"));
        testTopic.post("newcomer", proposal("p-1"));
        await().until(() -> testTopic.state("p-1").equals("withdrawn"));
        assertWithdrawnByGateway("p-1", "newcomer's last token expired");
    }

    @Test
    void aCallThatIsRunningFinishes() throws Exception {
        TestParticipant files = testTopic.join("files");
        testTopic.post("helper", proposal("p-1"));
        testTopic.post("bob", fulfilment("f-1", "p-1").to("files"));
        files.awaitId("f-1");
        delete("/tokens/helper");
        files.sendAndAwaitEcho(answer("a-1", "f-1"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void anIdentityThatTheConfigurationNoLongerHasLosesItsProposals() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        testTopic.post("alice", proposal("p-2"));
        testTopic.close();
        Map<String, String> members = new LinkedHashMap<>(TestTopic.MEMBERS);
        members.remove("helper");
        testTopic = new TestTopic(data.resolve("room"), members);
        await().until(() -> testTopic.state("p-1").equals("withdrawn"));
        assertWithdrawnByGateway("p-1", "helper is no longer a member of this topic");
        assertThat(testTopic.state("p-2")).isEqualTo("open");
    }

    @Test
    void manyProposalsAreAllWithdrawn() throws Exception {
        for (int i = 0; i < 60; i++) {
            testTopic.post("helper", proposal("p-" + i));
        }
        delete("/tokens/helper");
        await().until(() -> testTopic
                .get("alice", "/topics/ops/proposals?state=open")
                .body()
                .path("proposals")
                .isEmpty());
    }
}
