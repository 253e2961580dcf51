package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a proposal's life over HTTP: what is confirmed is durable, and a refusal contains the proposal's state. */
class HttpPostTest {
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

    private void post(String who, TestEnvelope testEnvelope) throws Exception {
        TestTopic.Answer answer = testTopic.post(who, testEnvelope);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
        assertThat(answer.body().path("id").asString()).isEqualTo(testEnvelope.id());
        assertThat(answer.body().path("errors").size()).isZero();
    }

    @Test
    void aLifeNeedsNoSocket() throws Exception {
        testTopic.poll("files", 0, 0);
        post("helper", proposal("p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        post("alice", fulfilment("f-1", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
        post("files", answer("a-1", "f-1").to("alice"));
        assertThat(testTopic.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void whatIsPostedReachesSockets() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        post("helper", proposal("p-1"));
        assertThat(alice.awaitId("p-1").path("from").asString()).isEqualTo("helper");
    }

    @Test
    void whatWasAnsweredIsThereAfterARestart() throws Exception {
        post("helper", proposal("p-1"));
        testTopic.restart();
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            unknown_proposal    | 404 | bob    | fulfil   | p-9    | p-9    |
            unknown_proposal    | 404 | bob    | reject   | p-9    | p-9    |
            proposal_closed     | 409 | bob    | reject   | closed | closed | withdrawn
            proposal_closed     | 409 | bob    | fulfil   | closed | closed | withdrawn
            already_fulfilled   | 409 | bob    | fulfil   | done   | done   | fulfilled
            not_proposer        | 403 | carol  | withdraw | p-1    | p-1    | open
            own_proposal        | 403 | alice  | fulfil   | hers   | hers   | open
            fulfilment_mismatch | 400 | bob    | other    | p-1    | p-1    | open
            not_addressee       | 403 | search | answer   | f-0    | done   | fulfilled
            unknown_recipient   | 404 | bob    | nowhere  | p-1    | p-1    | open
            """)
    void aRefusalNamesTheProposalAndHowItStands(
            String code, int status, String who, String act, String about, String proposal, String state)
            throws Exception {
        testTopic.join("files");
        for (String id : new String[] {"p-1", "closed", "done"}) {
            post("helper", proposal(id));
        }
        post("alice", proposal("hers"));
        post("helper", withdrawal("w-0", "closed"));
        post("alice", fulfilment("f-0", "done"));
        TestTopic.Answer answer = testTopic.post(
                who,
                switch (act) {
                    case "fulfil" -> fulfilment("x-1", about);
                    case "other" ->
                        fulfilment("x-1", about)
                                .with("kind", "mcp.request.tools/list")
                                .payload("{\"method\":\"tools/list\"}");
                    case "nowhere" -> fulfilment("x-1", about).to("search");
                    case "reject" -> rejection("x-1", "policy", about);
                    case "withdraw" -> withdrawal("x-1", about);
                    default -> answer("x-1", about);
                });
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.type()).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
        assertThat(answer.body().path("detail").asString()).isNotBlank();
        assertThat(answer.body().path("proposal").asString()).isEqualTo(proposal);
        assertThat(answer.body().path("state").asString(null)).isEqualTo(state);
    }

    @Test
    void theAnswerToARejectionSaysWhetherTheProposalIsClosed() throws Exception {
        testTopic.post("helper", proposal("p-1"));
        TestTopic.Answer uncounted = testTopic.post("carol", rejection("r-1", "unsafe", "p-1"));
        assertThat(uncounted.status()).isEqualTo(202);
        assertThat(uncounted.body().path("rejections").path(0).toString())
                .isEqualTo("{\"proposal\":\"p-1\",\"closed\":false,\"result\":\"not_counted\","
                        + "\"waitingFor\":[\"alice\",\"bob\"],\"detail\":\"recorded; the proposal stays open:"
                        + " only members who could approve it can close it; it waits for alice or bob\"}");
        TestTopic.Answer veto = testTopic.post("bob", rejection("r-2", "unsafe", "p-1"));
        assertThat(veto.body().path("rejections").path(0).path("closed").asBoolean())
                .isTrue();
        TestTopic.Answer again = testTopic.post("bob", rejection("r-2", "unsafe", "p-1"));
        assertThat(again.body().path("rejections").path(0).path("closed").asBoolean())
                .isTrue();
    }

    @Test
    void aBatchOfWhichNoneSucceedsIsRefused() throws Exception {
        TestTopic.Answer answer = testTopic.post("bob", rejection("r-1", "policy", "p-8", "p-9"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("unknown_proposal");
    }
}
