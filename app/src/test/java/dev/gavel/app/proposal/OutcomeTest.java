package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests the outcome of a fulfilment: the first answer of an addressee, or unknown. */
class OutcomeTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant files;
    private TestParticipant alice;
    private TestParticipant helper;

    @BeforeEach
    void fulfilled() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        files = testTopic.join("files");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"jsonrpc":"2.0","id":1,"result":{"content":[]}}                   | succeeded
            {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":false}}   | succeeded
            {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}    | failed
            {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"full"}}  | failed
            """)
    void theFirstAnswerDecides(String payload, String outcome) throws Exception {
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice").payload(payload));
        assertThat(testTopic.outcome("p-1")).isEqualTo(outcome);
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
        files.sendAndAwaitEcho(answer("a-2", "f-1")
                .to("alice")
                .payload(
                        outcome.equals("failed")
                                ? TestEnvelope.DONE
                                : "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"));
        assertThat(testTopic.outcome("p-1")).isEqualTo(outcome);
    }

    @Test
    void theAnswerGoesToItsRecipientsAndAlsoToTheProposer() throws Exception {
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        assertThat(TestParticipant.about(alice.awaitId("a-1"))).containsExactly("f-1");
        assertThat(helper.awaitId("a-1").path("payload")).isEqualTo(TestEnvelope.JSON.readTree(TestEnvelope.DONE));
        assertThat(TestParticipant.ids(carol.receivedBefore(files))).doesNotContain("a-1");
    }

    @Test
    void anybodyElsesAnswerIsRefused() throws Exception {
        TestParticipant search = testTopic.join("search");
        JsonNode error = search.sendAndAwaitError(answer("a-1", "f-1").to("alice"));
        assertThat(error.path("error").asString()).isEqualTo("not_addressee");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("fulfilled");
        assertThat(TestParticipant.ids(alice.receivedBefore(search))).doesNotContain("a-1");
        assertThat(testTopic.outcome("p-1")).isEqualTo("pending");
        files.sendAndAwaitEcho(answer("a-2", "f-1").to("alice"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void whoFulfilledItDoesNotAnswerIt() throws Exception {
        assertThat(alice.sendAndAwaitError(answer("a-1", "f-1")).path("error").asString())
                .isEqualTo("not_addressee");
    }

    @Test
    void itIsUnknownWhenTheAddresseeLeftUntilItAnswersAfterAll() throws Exception {
        files.close();
        await().until(() -> testTopic.outcome("p-1").equals("unknown"));
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
        testTopic.join("files").sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        assertThat(TestParticipant.id(helper.awaitId("a-1"))).isEqualTo("a-1");
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void anAddresseeThatIsSoonBackHasNotLeft() throws Exception {
        files.close();
        TestParticipant back = testTopic.join("files");
        helper.sendAndAwaitEcho(proposal("clock").ttl(4));
        helper.await("system.proposal.expired", "clock");
        assertThat(testTopic.outcome("p-1")).isEqualTo("pending");
        back.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void itIsUnknownWhenTheTimeToAnswerPassedAndALateAnswerStillSetsIt() throws Exception {
        try (TestTopic hasty = new TestTopic(data.resolve("hasty"), "answer: 1s")) {
            TestParticipant slow = hasty.join("files");
            TestParticipant reviewer = hasty.join("alice");
            TestParticipant proposer = hasty.join("helper");
            proposer.sendAndAwaitEcho(proposal("p-1"));
            reviewer.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
            await().until(() -> hasty.outcome("p-1").equals("unknown"));
            slow.sendAndAwaitEcho(answer("a-1", "f-1")
                    .to("alice")
                    .payload("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"));
            assertThat(hasty.outcome("p-1")).isEqualTo("failed");
            assertThat(TestParticipant.id(reviewer.awaitId("a-1"))).isEqualTo("a-1");
            assertThat(TestParticipant.texts(hasty.proposal("helper", "p-1").path("timeline"), "event"))
                    .containsExactly("proposed", "fulfilled", "outcome_unknown", "answered");
        }
    }
}
