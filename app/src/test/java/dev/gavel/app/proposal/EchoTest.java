package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.envelope;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests echoes: the sender receives each lifecycle envelope once it is durable, and no others; the order is preserved.
 */
class EchoTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant files;
    private TestParticipant alice;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        files = testTopic.join("files");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void eachLifecycleEnvelopeIsEchoedToItsSenderAsOthersGetIt() throws Exception {
        TestParticipant carol = testTopic.join("carol");
        List<JsonNode> echoes = new ArrayList<>();
        echoes.add(helper.sendAndAwaitEcho(proposal("p-1").with("x-trace", "7")));
        echoes.add(alice.sendAndAwaitEcho(status("s-1", "queued", "p-1")));
        echoes.add(alice.sendAndAwaitEcho(fulfilment("f-1", "p-1")));
        echoes.add(files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice")));
        echoes.add(helper.sendAndAwaitEcho(proposal("p-2")));
        echoes.add(alice.sendAndAwaitEcho(rejection("r-2", "busy", "p-2")));
        echoes.add(helper.sendAndAwaitEcho(withdrawal("w-2", "p-2")));
        assertThat(carol.receivedBefore(helper)).isEqualTo(echoes);
        JsonNode first = echoes.getFirst();
        assertThat(first.path("from").asString()).isEqualTo("helper");
        assertThat(Instant.parse(first.path("ts").asString())).isBeforeOrEqualTo(Instant.now());
        assertThat(first.path("x-trace").asString()).isEqualTo("7");
    }

    @Test
    void thePayloadAndUnknownFieldsTravelByteForByte() throws Exception {
        String trace = "\"x-trace\" : { \"a\":1.50 }";
        String payload = "{\"method\":\"tools/call\",  \"params\":{\"name\":\"write_file\",\"n\":1e2,"
                + "\"s\":\"h\\u00e9 \\/\"}}";
        helper.send("{\"protocol\":\"mcpx/v0.1\", \"id\":\"p-1\"," + trace
                + " ,\"kind\":\"mcp.proposal.tools/call:write_file\",\"payload\": " + payload + "}");
        assertThat(helper.awaitText("p-1")).contains(payload).contains(trace);
        assertThat(alice.awaitText("p-1")).contains(payload).contains(trace);
        TestParticipant carol = testTopic.join("carol", "&since=0");
        assertThat(carol.awaitText("p-1")).contains(payload).contains(trace);
    }

    @Test
    void otherEnvelopesAreNotEchoed() throws Exception {
        alice.send(chat("c-1"));
        alice.send(envelope("q-1", "mcp.request.tools/list", "{\"method\":\"tools/list\"}")
                .to("files"));
        alice.send(answer("a-1", "q-0"));
        alice.send(envelope("t-1", "trace.span.x", "{}"));
        helper.awaitId("t-1");
        assertThat(TestParticipant.ids(alice.receivedBefore(helper))).doesNotContain("c-1", "q-1", "a-1", "t-1");
        files.send(answer("a-2", "q-1").to("alice"));
        alice.awaitId("a-2");
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("a-2");
    }

    @Test
    void whatIsSentAfterALifecycleEnvelopeArrivesAfterIt() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            helper.send(proposal("p-" + i));
            helper.send(chat("c-" + i));
            sent.add("p-" + i);
            sent.add("c-" + i);
        }
        List<String> heard = TestParticipant.ids(alice.receivedBefore(helper)).stream()
                .filter(sent::contains)
                .toList();
        assertThat(heard).isEqualTo(sent);
    }

    @Test
    void onesOwnErrorsAndEchoesKeepTheirOrderToo() throws Exception {
        for (int i = 0; i < 50; i++) {
            helper.send(proposal("p-" + i));
            helper.send(withdrawal("w-" + i, "p-" + i));
            helper.send(withdrawal("late-" + i, "p-" + i));
        }
        for (int i = 0; i < 50; i++) {
            helper.awaitId("p-" + i);
            helper.awaitId("w-" + i);
            JsonNode error = helper.await("system.error");
            assertThat(TestParticipant.about(error)).containsExactly("late-" + i);
            assertThat(error.path("payload").path("error").asString()).isEqualTo("proposal_closed");
        }
    }

    @Test
    void anEchoGoesToTheConnectionThatSentAndTheSameIdentitysOthersHearItLikeAnybody() throws Exception {
        TestEventStream testEventStream = testTopic.listen("helper", "", "");
        helper.sendAndAwaitEcho(proposal("p-1"));
        assertThat(TestParticipant.id(testEventStream.await("p-1").envelope())).isEqualTo("p-1");
    }
}
