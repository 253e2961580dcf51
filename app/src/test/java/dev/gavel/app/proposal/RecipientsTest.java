package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests the recipients of lifecycle envelopes: {@code can:} is resolved once, on arrival; unknown names are reported.
 */
class RecipientsTest {
    private static final String CAN_WRITE = "can:mcp.request.tools/call:write_file";

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

    @Test
    void aProposalToWhoeverCanIsToThoseWhoAreHereThen() throws Exception {
        TestParticipant bob = testTopic.join("bob", "&mode=directed");
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        TestParticipant helper = testTopic.join("helper");
        assertThat(helper.sendAndAwaitEcho(proposal("p-1").to(CAN_WRITE))
                        .path("to")
                        .toString())
                .isEqualTo("[\"bob\"]");
        assertThat(bob.awaitId("p-1").path("to").toString()).isEqualTo("[\"bob\"]");
        assertThat(TestParticipant.ids(carol.receivedBefore(helper))).doesNotContain("p-1");
        assertThat(testTopic.proposal("helper", "p-1").path("to").toString()).isEqualTo("[\"bob\"]");
        testTopic.join("alice").sendAndAwaitEcho(rejection("r-1", "busy", "p-1"));
        bob.sendAndAwaitEcho(rejection("r-2", "busy", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("rejected");
    }

    @Test
    void aResendIsTheSameThoughOthersCanNow() throws Exception {
        testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1").to(CAN_WRITE));
        testTopic.join("alice");
        assertThat(helper.sendAndAwaitEcho(proposal("p-1").to(CAN_WRITE))
                        .path("to")
                        .toString())
                .isEqualTo("[\"bob\"]");
    }

    @Test
    void aProposalToWhoeverCanWhileNobodyCanIsNone() throws Exception {
        TestParticipant carol = testTopic.join("carol");
        TestParticipant helper = testTopic.join("helper");
        assertThat(helper.sendAndAwaitError(proposal("p-1").to(CAN_WRITE))
                        .path("error")
                        .asString())
                .isEqualTo("unknown_recipient");
        assertThat(TestParticipant.ids(carol.receivedBefore(helper))).doesNotContain("p-1");
        assertThat(testTopic.get("helper", "/topics/ops/proposals/p-1").status())
                .isEqualTo(404);
        testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1").to(CAN_WRITE));
    }

    @Test
    void aFulfilmentToSeveralMembersThatCanAnswerIsRefused() throws Exception {
        testTopic.join("files", "&mode=directed");
        TestParticipant search = testTopic.join("search", "&mode=directed");
        TestParticipant bob = testTopic.join("bob");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = bob.sendAndAwaitError(fulfilment("f-1", "p-1").to("can:mcp.response.tools/call:write_file"));
        assertThat(error.path("error").asString()).isEqualTo("malformed");
        JsonNode echo = bob.sendAndAwaitEcho(fulfilment("f-2", "p-1").to("search", "search"));
        assertThat(echo.path("to").toString()).isEqualTo("[\"search\"]");
        search.awaitId("f-2");
        search.sendAndAwaitEcho(answer("a-1", "f-2").to("bob"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void aProposalToSomeUnknownIsMadeAndTheyAreTold() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestTopic.Answer answer = testTopic.post("helper", proposal("p-1").to("ghost", "bob"));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body().path("errors").path(0).path("code").asString()).isEqualTo("unknown_recipient");
        assertThat(answer.body().path("errors").path(0).path("detail").asString())
                .contains("ghost");
        bob.awaitId("p-1");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void aProposalToNoMemberAtAllIsNone() throws Exception {
        TestTopic.Answer answer = testTopic.post("helper", proposal("p-1").to("ghost"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("unknown_recipient");
        assertThat(testTopic.get("helper", "/topics/ops/proposals/p-1").status())
                .isEqualTo(404);
    }

    @Test
    void aProposalToAMemberWhoIsAwayStands() throws Exception {
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1").to("bob"));
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(testTopic.join("bob").openProposals()).containsExactly("p-1");
    }
}
