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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests resending: the same envelope is echoed and not processed again; its id with other content is refused. */
class ResendTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant files;
    private TestParticipant alice;
    private TestParticipant helper;
    private TestParticipant carol;

    @BeforeEach
    void aLife() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        take();
        helper.sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(status("s-1", "considering", "p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        alice.sendAndAwaitEcho(rejection("r-2", "policy", "p-2"));
        helper.sendAndAwaitEcho(proposal("p-3"));
        helper.sendAndAwaitEcho(withdrawal("w-3", "p-3"));
        carol.receivedBefore(helper);
    }

    private void take() throws IOException {
        files = testTopic.join("files");
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
        carol = testTopic.join("carol");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private TestParticipant sender(String id) {
        return switch (id.charAt(0)) {
            case 'p', 'w' -> helper;
            case 'a' -> files;
            default -> alice;
        };
    }

    private static TestEnvelope sent(String id) {
        return switch (id) {
            case "s-1" -> status("s-1", "considering", "p-1");
            case "f-1" -> fulfilment("f-1", "p-1");
            case "a-1" -> answer("a-1", "f-1").to("alice");
            case "r-2" -> rejection("r-2", "policy", "p-2");
            case "w-3" -> withdrawal("w-3", "p-3");
            default -> proposal(id);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"p-1", "p-2", "p-3", "s-1", "f-1", "a-1", "r-2", "w-3"})
    void theSameAgainIsEchoedToItsSenderAloneAndNotDoneAgain(String id) throws Exception {
        String before = testTopic.get("alice", "/topics/ops/proposals").body().toString();
        long seq = testTopic.get("alice", "/topics/ops").body().path("seq").asLong();
        JsonNode echo = sender(id).sendAndAwaitEcho(sent(id));
        assertThat(TestParticipant.id(echo)).isEqualTo(id);
        assertThat(TestParticipant.ids(carol.receivedBefore(sender(id)))).doesNotContain(id);
        assertThat(testTopic.get("alice", "/topics/ops").body().path("seq").asLong())
                .isEqualTo(seq);
        assertThat(testTopic.get("alice", "/topics/ops/proposals").body().toString())
                .isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p-1", "s-1", "f-1", "a-1", "r-2", "w-3"})
    void itIsNotDoneAgainAfterARestartEither(String id) throws Exception {
        testTopic.restart();
        take();
        sender(id).sendAndAwaitEcho(sent(id));
        assertThat(TestParticipant.ids(carol.receivedBefore(sender(id)))).doesNotContain(id);
        if (id.equals("f-1")) {
            assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-1");
        }
    }

    @Test
    void anEchoSentAgainIsTheEchoSentBefore() throws Exception {
        JsonNode first = helper.sendAndAwaitEcho(proposal("p-4").with("x-trace", "7"));
        assertThat(helper.sendAndAwaitEcho(proposal("p-4").with("x-trace", "7")))
                .isEqualTo(first);
    }

    @Test
    void whatIsStampedOrUnknownDoesNotMakeItAnother() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1")
                .with("ts", "2026-01-05T10:00:00Z")
                .with("from", "helper")
                .with("x-trace", "8"));
    }

    @Test
    void postedAgainItIsTakenAgain() throws Exception {
        for (int i = 0; i < 2; i++) {
            TestTopic.Answer answer = testTopic.post("helper", proposal("p-4"));
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.body().path("id").asString()).isEqualTo("p-4");
            assertThat(answer.body().path("errors").size()).isZero();
        }
        assertThat(testTopic.post("alice", fulfilment("f-1", "p-1")).status()).isEqualTo(202);
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sender        | alice  | {"id":"p-1","kind":"mcp.proposal.tools/call:write_file","payload":PAYLOAD}
            kind          | helper | {"id":"p-1","kind":"mcp.proposal.tools/call","payload":PAYLOAD}
            another kind  | helper | {"id":"p-1","kind":"mcpx.withdraw.proposal","correlationId":"p-2","payload":{}}
            to            | helper | {"id":"p-1","to":["bob"],"kind":"mcp.proposal.tools/call:write_file","payload":PAYLOAD}
            payload       | helper | {"id":"p-1","kind":"mcp.proposal.tools/call:write_file","payload":{"method":"tools/call","params":{"name":"write_file"}}}
            payload bytes | helper | {"id":"p-1","kind":"mcp.proposal.tools/call:write_file","payload": SPACED}
            correlationId | alice  | {"id":"s-1","kind":"mcpx.status.proposal","correlationId":"p-4","payload":{"status":"considering"}}
            more of them  | alice  | {"id":"s-1","kind":"mcpx.status.proposal","correlationId":["p-1","p-4"],"payload":{"status":"considering"}}
            """)
    void theSameIdWithOtherContentIsADuplicate(String what, String who, String text) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-4"));
        String envelope = text.replace("PAYLOAD", TestEnvelope.WRITE)
                .replace("SPACED", TestEnvelope.WRITE.replace(":", ": "))
                .replace("{\"id\"", "{\"protocol\":\"mcpx/v0.1\",\"id\"");
        TestParticipant testParticipant = who.equals("alice") ? alice : helper;
        testParticipant.send(envelope);
        JsonNode error = testParticipant.await("system.error");
        assertThat(error.path("payload").path("error").asString()).as(what).isEqualTo("duplicate_id");
        assertThat(TestParticipant.about(error)).hasSize(1);
        assertThat(TestParticipant.ids(carol.receivedBefore(testParticipant)).stream()
                        .filter(TestParticipant.about(error)::contains))
                .isEmpty();
    }

    @Test
    void aDuplicateIsAConflictByHttp() throws Exception {
        TestTopic.Answer answer = testTopic.post("alice", proposal("p-1"));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("duplicate_id");
    }

    @Test
    void anIdRefusedBeforeMayBeUsed() throws Exception {
        alice.sendAndAwaitError(fulfilment("x-1", "p-9"));
        helper.sendAndAwaitEcho(proposal("p-4"));
        alice.sendAndAwaitEcho(fulfilment("x-1", "p-4"));
        assertThat(testTopic.state("p-4")).isEqualTo("fulfilled");
    }

    @Test
    void whatIsNoLifecycleEnvelopeMayUseAnIdAsOftenAsItLikes() throws Exception {
        alice.send(chat("c-1"));
        alice.send(chat("c-1"));
        alice.send(chat("p-1"));
        assertThat(TestParticipant.ids(carol.receivedBefore(alice))).containsSubsequence(List.of("c-1", "c-1", "p-1"));
    }

    @Test
    void whoeverItWasForMayHaveGone() throws Exception {
        TestEnvelope testEnvelope = proposal("p-9").to("can:mcp.request.tools/call:write_file");
        helper.sendAndAwaitEcho(testEnvelope);
        alice.close();
        carol.await("system.presence");
        assertThat(TestParticipant.id(helper.sendAndAwaitEcho(testEnvelope))).isEqualTo("p-9");
    }

    @Test
    void aBatchIsEchoedAsItWasDone() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-8"));
        String about = "[\"p-8\",\"nonsense\"]";
        TestEnvelope testEnvelope = withdrawal("w-8", "p-8").with("correlationId", TestEnvelope.JSON.readTree(about));
        for (int i = 0; i < 2; i++) {
            TestTopic.Answer answer = testTopic.post("helper", testEnvelope);
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.body().path("errors").size()).isEqualTo(1);
            assertThat(answer.body().path("errors").path(0).path("proposal").asString())
                    .isEqualTo("nonsense");
        }
    }
}
